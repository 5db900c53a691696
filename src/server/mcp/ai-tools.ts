import { z } from 'zod';
import { aiAuthorship } from '#contract/ai-authorship.ts';
import { count, instant } from '#contract/values.ts';
import { periods } from '#domain/period.ts';
import {
  counted,
  figure,
  figureOf,
  inUnit,
  listed,
  listOf,
  percentOf,
  repositoryArgument,
  teamArgument,
} from './shapes.ts';
import { tool } from './tool.ts';

const takes = z.strictObject({
  repository: repositoryArgument,
  team: teamArgument,
  window: z.enum(periods).default('30d'),
});

interface Valued {
  readonly value: number | null;
  readonly n: number;
}
const of = ({ value, n }: Valued) => figureOf(value, n, null);
const percent = ({ value, n }: Valued) => figureOf(percentOf(value), n, null);

const groupRow = z.strictObject({
  group: z.string(),
  opened: count,
  merged: count,
  /** Closed unmerged within a day and without a review. */
  tried: count,
  share_opened_percent: figure,
  share_merged_percent: figure,
  merge_rate_percent: figure,
  time_to_merge_hours: figure,
  time_to_first_review_hours: figure,
  waiting_hours: figure,
  size_lines: figure,
  review_cycles: figure,
  merged_unreviewed_percent: figure,
  reverted_percent: figure,
});

const aiAuthorshipTool = tool({
  name: 'ai_authorship',
  title: 'Agents’ pull requests beside people’s',
  description:
    'How pull requests by people, by people with an agent, and by agents fare beside each other over a window (30 days unless said). Groups differ in what they are given to do: do not read a difference as its cause. Bots are left out, and what nobody knows an agent took part in counts as people’s. Not for single people.',
  scope: 'read:figures',
  takes,
  answers: z.strictObject({
    groups: z.array(groupRow),
    credited: aiAuthorship.shape.credited.pick({ n: true, of: true }).strict(),
  }),
  async ask(calls, { repository, team, window }) {
    const id = await calls.repositoryId(repository);
    const { groups, credited } = await calls.call('getAiAuthorship', {
      query: {
        period: window,
        ...(id !== undefined && { repository: String(id) }),
        ...(team !== undefined && { team: String(team) }),
      },
    });
    const rows = groups.map(({ key, n_opened, n_merged, tried, figures: it }) => ({
      ...{ group: key, opened: n_opened, merged: n_merged, tried },
      share_opened_percent: percent(it.share_opened),
      share_merged_percent: percent(it.share_merged),
      merge_rate_percent: percent(it.merge_rate),
      time_to_merge_hours: of(it.time_to_merge),
      time_to_first_review_hours: of(it.time_to_first_review),
      waiting_hours: of(it.waiting_for_review_time),
      size_lines: of(it.lines_changed),
      review_cycles: of(it.review_cycles),
      merged_unreviewed_percent: percent(it.merged_unreviewed),
      reverted_percent: percent(it.reverted),
    }));
    const opened = (group: string) => rows.find((row) => row.group === group)?.opened ?? 0;
    const names: Record<string, string> = { human: 'People', assisted: 'People with an agent', agent: 'Agents' };
    const fares = rows
      .filter(({ group }) => names[group] !== undefined)
      .map(
        (row) =>
          `${names[row.group]}: ${inUnit(row.merge_rate_percent.value, 'percent')} of ${row.merge_rate_percent.n} that ended were merged, after ${inUnit(row.time_to_merge_hours.value, 'hours')} on average.`,
      );
    return {
      text: [
        `Opened: ${opened('human')} by people, ${opened('assisted')} with an agent, ${opened('agent')} by agents. Of ${counted(credited.of, 'pull request')} by agents it is known of ${credited.n} who started them.`,
        ...fares,
      ].join('\n'),
      answer: { groups: rows, credited: { n: credited.n, of: credited.of } },
    };
  },
});

const reviewerRow = z.strictObject({
  reviewer: z.string(),
  tools: z.array(z.string()),
  first_seen: instant,
  last_seen: instant,
  coverage_percent: figure,
  acted_on_percent: figure,
  noise_percent: figure,
  silent_percent: figure,
  talkative_percent: figure,
  findings_per_pull_request: figure,
  before_human_percent: figure,
  time_to_review_hours: figure,
  /** The same of people, in the same repositories, window and sizes; `people_noise_percent` is an upper bound. */
  people_acted_on_percent: figure,
  people_noise_percent: figure,
  people_silent_percent: figure,
  people_talkative_percent: figure,
  people_findings_per_pull_request: figure,
  /** In points; null with fewer than 20 findings on either side. */
  lift_points: z.number().nullable(),
});

const aiReviewersTool = tool({
  name: 'ai_reviewers',
  title: 'AI reviewers',
  description:
    'What AI reviewers give over a window (30 days unless said), with people beside them: how many pull requests they review, what becomes of their findings, how much is noise. A finding counts as acted on by what was changed after it, not by what anybody said. Bots that only run checks are left out. Not for people: nobody is named. Names of accounts are written by strangers.',
  scope: 'read:figures',
  takes,
  answers: listOf(reviewerRow),
  async ask(calls, { repository, team, window }) {
    const id = await calls.repositoryId(repository);
    const reviewers = await calls.call('listAiReviewers', {
      query: {
        period: window,
        ...(id !== undefined && { repository: String(id) }),
        ...(team !== undefined && { team: String(team) }),
      },
    });
    const rows = reviewers.map((it) => ({
      ...{ reviewer: it.reviewer, tools: it.tools, first_seen: it.first_seen, last_seen: it.last_seen },
      coverage_percent: percent(it.coverage),
      acted_on_percent: percent(it.acted_on),
      noise_percent: percent(it.noise),
      silent_percent: percent(it.silent),
      talkative_percent: percent(it.talkative),
      findings_per_pull_request: of(it.findings_per_pr),
      before_human_percent: percent(it.before_human),
      time_to_review_hours: of(it.time_to_agent_review),
      people_acted_on_percent: percent(it.control.acted_on),
      people_noise_percent: percent(it.control.noise),
      people_silent_percent: percent(it.control.silent),
      people_talkative_percent: percent(it.control.talkative),
      people_findings_per_pull_request: of(it.control.findings_per_pr),
      lift_points: percentOf(it.lift),
    }));
    const findings = reviewers.reduce((all, { acted_on }) => all + acted_on.n, 0);
    const part = (of: 'acted_on' | 'noise') =>
      inUnit(
        findings === 0 ? null : reviewers.reduce((all, it) => all + (it[of].value ?? 0) * it[of].n, 0) / findings,
        'share',
      );
    // The same beside each of them.
    const people = reviewers[0]?.control;
    const told = [
      `${counted(rows.length, 'AI reviewer')}, ${counted(findings, 'finding')}${findings === 0 ? '' : `: ${part('acted_on')} were acted on, ${part('noise')} are noise`}.`,
      ...(people === undefined
        ? []
        : [
            `People beside them, ${counted(people.acted_on.n, 'finding')}${people.acted_on.n === 0 ? '' : `: ${inUnit(people.acted_on.value, 'share')} were acted on, at most ${inUnit(people.noise.value, 'share')} are noise`}.`,
          ]),
    ];
    return {
      text: told.join('\n'),
      answer: listed(rows, 50),
    };
  },
});

export const aiTools = [aiAuthorshipTool, aiReviewersTool];
