import { type Percentile, percentiles } from '#domain/percentiles.ts';
import { type SizeBucket, sizeBuckets } from '#domain/size-buckets.ts';
import { type Choice, readChoice } from '../../filters/choice-of-figures.ts';
import { type RawSearch, readOneOf, readText } from '../../url/url-state.ts';

export const aiTabs = ['reviewers', 'authors'] as const;
export type AiTab = (typeof aiTabs)[number];
export const authorKinds = ['human', 'agent', 'bot'] as const;

export interface AiSearch extends Choice {
  readonly tab: AiTab;
  /** Whose pull requests the reviewers are measured on. */
  readonly authorKind: (typeof authorKinds)[number] | undefined;
  readonly size: SizeBucket | undefined;
  /** The tool, or an account of it, of the reviewer that the lower cards are about; undefined: the first. */
  readonly reviewer: string | undefined;
  /** The pull requests of which the list is; undefined: the talkative, unless there is none. */
  readonly said: 'talkative' | 'silent' | undefined;
  readonly beside: 'groups' | 'before';
  /** A repository as `owner/name`, before and after a reviewer came there; undefined: all together. */
  readonly place: string | undefined;
  readonly bots: boolean;
  readonly moment: 'opened' | 'merged';
  readonly by: 'group' | 'tool';
  readonly sameSize: boolean;
  readonly statistic: Percentile;
}

/** What the address says of AI in review; what makes no sense counts as absent. */
export function readAiSearch(search: RawSearch): AiSearch {
  return {
    ...readChoice(search),
    tab: readOneOf(search.tab, aiTabs) ?? 'reviewers',
    authorKind: readOneOf(search.author_kind, authorKinds),
    size: readOneOf(search.size, sizeBuckets),
    reviewer: readText(search.reviewer),
    said: readOneOf(search.said, ['talkative', 'silent'] as const),
    beside: search.beside === 'before' ? 'before' : 'groups',
    place: readText(search.place),
    bots: search.bots === 'true',
    moment: search.moment === 'merged' ? 'merged' : 'opened',
    by: search.by === 'tool' ? 'tool' : 'group',
    sameSize: search.sizes !== 'mixed',
    statistic: readOneOf(search.statistic, percentiles) ?? 'p50',
  };
}
