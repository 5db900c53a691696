import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/query.ts';
import { Page } from '../../layout/page.tsx';
import { Panel, Strip, StripCell } from '../../panels/card.tsx';
import { Amount } from '../../panels/figure.tsx';
import { formatCount } from '../../panels/moment.ts';

/** Who carries the review load. */
export function ReviewLoadScreen() {
  const rows = useQuery(ask('listReviewLoad', { query: {} })).data;
  const outstanding = rows?.reduce((sum, row) => sum + row.outstanding_reviews, 0);
  return (
    <Page title="Review Load" subtitle="Team review workload and completion metrics">
      <Panel label="Summary">
        <Strip>
          <StripCell label="Outstanding Reviews">
            {outstanding !== undefined && <Amount figure={formatCount(outstanding)} large />}
          </StripCell>
        </Strip>
      </Panel>
    </Page>
  );
}
