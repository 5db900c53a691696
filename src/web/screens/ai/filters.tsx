import { LONGEST_AI_WINDOW_DAYS } from '#domain/metrics/thresholds.ts';
import { sizeBuckets } from '#domain/size-buckets.ts';
import { sizeWords } from '../../explain/format-value.ts';
import { Choice } from '../../filters/choice.tsx';
import { RepositoryFilter } from '../../filters/filter-box.tsx';
import { Filters } from '../../filters/filter-button.tsx';
import { useSetPickers } from '../../filters/head-pickers.tsx';
import { TeamFilter } from '../../filters/team-filter.tsx';
import { WindowPicker } from '../../filters/window-picker.tsx';
import { useUrlFilter } from '../../url/url-filter.ts';
import { type AiTab, authorKinds } from './search.ts';

const authorWords = { human: 'People’s PRs', agent: 'Agents’ PRs', bot: 'Bots’ PRs' } as const;

/** What the whole page is narrowed by; on a phone one button. */
export function AiFilters({ tab }: { readonly tab: AiTab }) {
  const [authorKind, setAuthorKind] = useUrlFilter('author_kind');
  const [size, setSize] = useUrlFilter('size');
  const [bots, setBots] = useUrlFilter('bots');
  const [active, clear] = useSetPickers(tab === 'reviewers' ? ['author_kind', 'size'] : ['bots']);
  return (
    <Filters active={active} onClear={clear}>
      <WindowPicker own="30d" longest={LONGEST_AI_WINDOW_DAYS} />
      <RepositoryFilter />
      <TeamFilter byRole />
      {tab === 'reviewers' ? (
        <>
          <Choice
            label="Opened by"
            value={authorKinds.find((kind) => kind === authorKind)}
            options={authorKinds}
            word={(kind) => authorWords[kind]}
            neutral="Anyone’s PRs"
            onChange={setAuthorKind}
          />
          <Choice
            label="Size"
            value={sizeBuckets.find((bucket) => bucket === size)}
            options={sizeBuckets}
            word={sizeWords}
            neutral="All sizes"
            onChange={setSize}
          />
        </>
      ) : (
        <Choice
          label="Bots"
          value={bots === 'true' ? bots : undefined}
          options={['true'] as const}
          word={() => 'With bots'}
          neutral="Without bots"
          onChange={setBots}
        />
      )}
    </Filters>
  );
}
