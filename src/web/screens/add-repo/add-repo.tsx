import { Link } from '@tanstack/react-router';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { useHostName } from '../../session/session.tsx';
import { useUrlFilter } from '../../url/url-filter.ts';
import { ByName } from './by-name.tsx';
import { Choose } from './choose.tsx';

/** Connects repositories: one by its name, or many chosen from what the host lists (docs/product.md#add-repository-and-sync). */
export function AddRepositoryScreen() {
  const host = useHostName();
  const [from, setFrom] = useUrlFilter('from');
  const way = from === 'host' ? 'host' : 'name';
  return (
    <Page
      title={headings['add-repo']}
      subtitle={
        way === 'host'
          ? `Choose from what your ${host} account can read`
          : `Connect a repository that your ${host} account can read`
      }
      actions={
        <>
          <Link to="/settings">Connected repositories in Settings</Link>
          <SegmentedFilter
            label="How to add"
            options={[
              { value: 'host', label: `Choose from ${host}` },
              { value: 'name', label: 'By owner and name' },
            ]}
            value={way}
            onChange={(value) => setFrom(value === 'host' ? 'host' : undefined)}
          />
        </>
      }
      withoutAsOf
    >
      {way === 'host' ? <Choose /> : <ByName />}
    </Page>
  );
}
