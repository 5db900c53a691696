import type { AiAuthorship } from '#contract/ai-authorship.ts';
import type { AiReviewer } from '#contract/ai-reviewers.ts';
import { fates } from '#domain/reviewer-acts.ts';
import type { CsvColumn } from '../../table/csv.ts';

type Reviewer = CsvColumn<AiReviewer>;

const valued = (
  name: string,
  of: (reviewer: AiReviewer) => { readonly value: number | null; readonly n: number },
): readonly Reviewer[] => [
  { name, value: (reviewer) => of(reviewer).value },
  { name: `${name}_n`, value: (reviewer) => of(reviewer).n },
];

/** A row per reviewer; shares from 0 to 1, times in hours. */
export const reviewersCsv: readonly Reviewer[] = [
  { name: 'reviewer', value: ({ reviewer }) => reviewer },
  { name: 'tools', value: ({ tools }) => tools.join(' ') },
  { name: 'first_seen', value: ({ first_seen }) => first_seen },
  { name: 'last_seen', value: ({ last_seen }) => last_seen },
  ...valued('coverage', ({ coverage }) => coverage),
  ...valued('acted_on', ({ acted_on }) => acted_on),
  ...valued('people_acted_on', ({ control }) => control.acted_on),
  { name: 'lift', value: ({ lift }) => lift },
  ...valued('noise', ({ noise }) => noise),
  ...valued('people_noise', ({ control }) => control.noise),
  ...valued('findings_per_pr', ({ findings_per_pr }) => findings_per_pr),
  ...valued('people_findings_per_pr', ({ control }) => control.findings_per_pr),
  ...valued('findings_per_100_lines', ({ findings_per_100_lines }) => findings_per_100_lines),
  ...valued('people_findings_per_100_lines', ({ control }) => control.findings_per_100_lines),
  ...valued('time_to_agent_review', ({ time_to_agent_review }) => time_to_agent_review),
  ...valued('before_human', ({ before_human }) => before_human),
  ...valued('on_automation', ({ on_automation }) => on_automation),
  ...valued('silent', ({ silent }) => silent),
  ...valued('people_silent', ({ control }) => control.silent),
  ...valued('talkative', ({ talkative }) => talkative),
  ...valued('people_talkative', ({ control }) => control.talkative),
  ...fates.map((fate): Reviewer => ({ name: fate, value: (reviewer) => reviewer.fates[fate] })),
  { name: 'thumbs_up', value: ({ thumbs }) => thumbs.up },
  { name: 'thumbs_down', value: ({ thumbs }) => thumbs.down },
];

/** A figure of a group, as the table shows it. */
export interface AuthorshipCell {
  readonly group: AiAuthorship['groups'][number];
  readonly figure: string;
  /** Null where it is over all sizes. */
  readonly comparedWith: number | null;
  readonly value: number | null;
  readonly n: number;
}

export const authorshipCsv: readonly CsvColumn<AuthorshipCell>[] = [
  { name: 'figure', value: ({ figure }) => figure },
  { name: 'group', value: ({ group }) => group.key },
  { name: 'value', value: ({ value }) => value },
  { name: 'n', value: ({ n }) => n },
  { name: 'no_trace_within_the_same_sizes', value: ({ comparedWith }) => comparedWith },
  { name: 'opened', value: ({ group }) => group.n_opened },
  { name: 'merged', value: ({ group }) => group.n_merged },
  { name: 'tried', value: ({ group }) => group.tried },
];
