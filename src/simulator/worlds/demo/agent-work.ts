import type { Account, PullRequestHistory } from '../../history.ts';
import { type Actor, automationActor, personActor } from './actors.ts';
import { CLAUDE, CLAUDE_TRAILER, COPILOT_AGENT, DEVIN, GITHUB_ACTIONS } from './automation.ts';
import { type Calendar, HOUR, MINUTE, SECOND, wholeSecond } from './calendar.ts';
import { Dice } from './dice.ts';
import type { Person, RepositoryName } from './people.ts';
import { PullRequestBuilder } from './pull-request-builder.ts';
import type { Culture } from './repositories.ts';
import { humanReview } from './reviewing.ts';
import { drawLines, drawSize } from './sizes.ts';
import type { Staff } from './staff.ts';
import { branchSlug, commitHeadline } from './titles.ts';

/**
 * What becomes of it: reviewed like anybody's, closed within a day though nobody looked, merged by whoever started it with nobody else's
 * word, or opened through a workflow's account, which is a bot's.
 */
type Outcome = 'reviewed' | 'tried' | 'own_word' | 'through_a_workflow';

/** A pull request that somebody has an agent open. */
export interface AgentWork {
  readonly account: Account;
  readonly starter: Person;
  readonly openedAt: number;
  readonly outcome: Outcome;
}

interface Week {
  readonly week: number;
  readonly from: number;
  readonly staff: Staff;
  readonly calendar: Calendar;
  readonly seed: number;
}

/** Where agents do a good part of the work, since which week of the demo's history, and how many pull requests a week. */
const PLACES: Readonly<Partial<Record<RepositoryName, { readonly since: number; readonly weekly: number }>>> = {
  pricing: { since: 46, weekly: 5.8 },
  storefront: { since: 54, weekly: 2.8 },
};

/** It takes them this many weeks to get there. */
const WEEKS_OF_GROWTH = 18;

const AGENTS = [
  { account: COPILOT_AGENT, weight: 5 },
  { account: CLAUDE, weight: 3 },
  { account: DEVIN, weight: 1 },
];

const OUTCOMES: readonly { readonly outcome: Outcome; readonly weight: number }[] = [
  { outcome: 'reviewed', weight: 11 },
  { outcome: 'tried', weight: 4 },
  { outcome: 'own_word', weight: 3 },
  { outcome: 'through_a_workflow', weight: 2 },
];

/** What people of a repository have agents open in a week. Draws of its own, so that what people do themselves stays as it is. */
export function workOfAgents(
  repository: RepositoryName,
  { week, from, staff, calendar, seed }: Week,
): readonly AgentWork[] {
  const place = PLACES[repository];
  if (place === undefined || week < place.since) return [];
  const dice = new Dice(seed, 'agent work', repository, week);
  const growth = Math.min(1, (1 + week - place.since) / WEEKS_OF_GROWTH);
  return Array.from({ length: dice.poisson(place.weekly * growth) }).flatMap((): AgentWork[] => {
    const starter = staff.author(from, false, dice);
    if (starter === null || starter.deleted) return [];
    const openedAt = calendar.openingWithin(from, starter, dice);
    const outcome = dice.weighted(OUTCOMES, ({ weight }) => weight)?.outcome ?? 'reviewed';
    const agent = dice.weighted(AGENTS, ({ weight }) => weight)?.account ?? COPILOT_AGENT;
    const account = outcome === 'through_a_workflow' ? GITHUB_ACTIONS : agent;
    return calendar.isAway(starter, openedAt) ? [] : [{ account, starter, openedAt, outcome }];
  });
}

interface AgentPlan {
  readonly culture: Culture;
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly work: AgentWork;
  /** Somebody else than the starter; null when nobody can. */
  readonly reviewer: Actor | null;
  readonly calendar: Calendar;
}

/** The story of one that isn't reviewed like anybody's. */
export function tellAgentWork(plan: AgentPlan, dice: Dice): PullRequestHistory {
  const { culture, work, reviewer } = plan;
  const { openedAt, outcome } = work;
  const author = automationActor(work.account, dice);
  const starter = personActor(work.starter, plan.calendar, dice);
  const story = open(plan, author, dice);
  const { doneAt } = story.runChecks(openedAt, true);
  if (outcome === 'tried') {
    const pushedAt = author.act(openedAt + dice.uniform(5, 40) * MINUTE);
    if (dice.chance(0.5)) {
      story.push(pushedAt, author, [commitHeadline(culture.name, dice)]);
      story.runChecks(pushedAt, true);
    }
    const end = wholeSecond(Math.max(pushedAt, openedAt + dice.uniform(0.3, 9) * HOUR) + MINUTE);
    if (dice.chance(0.3)) story.comment(end - 20 * SECOND, starter.who);
    story.cutAt(end);
    story.add({ kind: 'closed', at: end, by: starter.who });
    return story.history();
  }
  const judge = outcome === 'own_word' ? starter : (reviewer ?? starter);
  const looksAt = judge.act(Math.max(doneAt, openedAt) + dice.uniform(0.2, 7) * HOUR);
  if (outcome !== 'own_word' || dice.chance(0.6)) humanReview(story, looksAt, judge, 'APPROVED', dice);
  const end = judge.act(looksAt + dice.integer(60, 3_000) * SECOND);
  story.add({ kind: 'merged', at: end, by: judge.who, commit: dice.hex(40) });
  story.add({ kind: 'head_ref_deleted', at: end + 3 * SECOND, by: judge.who });
  return story.history();
}

function open({ culture, id, number, title, work }: AgentPlan, author: Actor, dice: Dice): PullRequestBuilder {
  const isWorkflow = work.outcome === 'through_a_workflow';
  const prefix = isWorkflow ? 'claude' : (work.account.login.split(/[[-]/)[0] ?? 'agent');
  return new PullRequestBuilder(culture, dice, {
    id,
    number,
    title,
    author,
    at: work.openedAt,
    draft: false,
    baseRef: culture.defaultBranch,
    headRef: `${prefix}/${branchSlug(title)}`,
    bodyLength: dice.integer(300, 2_400),
    size: drawSize(culture.name, author.owner, drawLines(dice.normal() * 0.7, 1, dice), dice),
    messages: [title],
    trailer: isWorkflow ? CLAUDE_TRAILER : null,
  });
}
