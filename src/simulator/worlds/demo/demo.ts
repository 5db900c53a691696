import type { Account, PullRequestHistory, RepositoryHistory, World } from '../../history.ts';
import { type Actor, automationActor, personActor } from './actors.ts';
import { type Consequence, consequencesOf } from './aftermath.ts';
import { tellAgentWork, workOfAgents } from './agent-work.ts';
import { withAiReviews } from './ai-reviews.ts';
import { AUTOMATION, COPILOT_AGENT, DEVIN, PATCHWISE, RELEASE_TRAIN } from './automation.ts';
import { Calendar, DAY, HOUR, MINUTE, WEEK, wholeSecond } from './calendar.ts';
import { DESK_REPOSITORY, deskPerson, type LyingPlan, lyingIn } from './desk.ts';
import { Dice } from './dice.ts';
import { tellLifecycle } from './lifecycle.ts';
import { ORGANIZATION, PEOPLE, type Person, type RepositoryName } from './people.ts';
import type { StuckScenario } from './plan.ts';
import { type Practice, practiceOf } from './practice.ts';
import { idBlock } from './pull-request-builder.ts';
import { withPulse } from './pulse.ts';
import { type Culture, REPOSITORIES } from './repositories.ts';
import { tellBump, tellRelease } from './routine.ts';
import { runsOf } from './runs.ts';
import { Staff } from './staff.ts';
import { COMPANY, COMPANY_ACCOUNT, OPENING_WEEK, teamsOf } from './teams.ts';
import { bumpTitle, noTitles, pullRequestTitle, type TakenTitles } from './titles.ts';
import { withTraces } from './traces.ts';

/** The history is written up to at least this long beyond `now`. */
export const FORESIGHT = 2 * WEEK;

/** The workflow runs of older pull requests are gone. */
const DAYS_OF_RUNS = 120;

export interface DemoOptions {
  /** The beginning of the history, epoch milliseconds, whole seconds; usually 78 weeks before the first start. */
  readonly since: number;
  readonly now: number;
  /** From here on something small happens about every minute; by default one day before the end of the 78th week. */
  readonly liveFrom?: number;
  readonly seed?: number;
}

/** One pull request to be told, known before its number is; what comes of its merge where anything can, and who had an agent open it. */
type PlannedPullRequest = Pick<Consequence, 'openedAt' | 'tell'> &
  Partial<Consequence> & { readonly starter?: Person | null };

/**
 * The demo's invented company: eight repositories, 40 people, bots and agents.
 *
 * A pure function of (seed, since, liveFrom) cut off by `now`: whole weeks are generated, the last one ends between two
 * and three weeks after `now`. A later `now` gives the same pull requests with the same numbers, ids and entries, then
 * more of them; entries up to the earlier end never change. So **pull requests whose `createdAt` and entries whose `at`
 * lie in the future are included: whoever serves the world must leave them out until their time has come.**
 * Throws a RangeError when `since` is no whole second or lies after `now`.
 */
export function demoWorld({ since, now, liveFrom, seed = 1 }: DemoOptions): World {
  if (since % 1_000 !== 0) throw new RangeError(`The demo must begin at a whole second, not ${since}: round it down.`);
  if (since > now) throw new RangeError('The demo must begin before now: give an earlier `since`.');
  const calendar = new Calendar(since, seed);
  const weeks = Math.ceil((now + FORESIGHT - since) / WEEK);
  const holds = Array.from({ length: weeks }, (_, week) => holdsOf(week, seed));
  const quiet = REPOSITORIES.map((culture, index): RepositoryHistory => {
    const pullRequests = pullRequestsOf(culture, index, { since, weeks, holds, calendar, seed });
    return {
      id: culture.id,
      owner: ORGANIZATION,
      name: culture.name,
      private: culture.private,
      archived: culture.endsInWeek !== null,
      defaultBranch: culture.defaultBranch,
      createdAt: wholeSecond(since - (30 + 14 * index) * WEEK),
      readers: culture.private ? readersOf(culture.name) : [],
      admins: ['sanna-h', 'oren-t', 'hanne-g'],
      pullRequests,
    };
  });
  const end = since + weeks * WEEK;
  const alive = withPulse(quiet, liveFrom ?? since + OPENING_WEEK * WEEK - DAY, end, seed);
  const repositories = alive.map((repository) => ({
    ...repository,
    runs: runsOf(repository.pullRequests.filter(({ createdAt }) => createdAt > now - DAYS_OF_RUNS * DAY)),
  }));
  const accounts: readonly Account[] = [
    ...PEOPLE.filter((person) => !person.deleted).map((person) => person.account),
    ...AUTOMATION,
    COMPANY_ACCOUNT,
  ];
  const signIn = ['sanna-h', 'ilse-m', 'annika-v', 'carys-d', 'mads-u'];
  return {
    ...{ name: ORGANIZATION, accounts, repositories, signIn, visitors: true, desk: deskPerson.account.login },
    organizations: [COMPANY],
    teams: teamsOf(since, end),
  };
}

function readersOf(repository: RepositoryName): readonly string[] {
  const members = PEOPLE.filter((person) => person.homes[repository] !== undefined && !person.deleted);
  return ['sanna-h', 'oren-t', 'hanne-g', ...members.map((person) => person.account.login)];
}

/** Which repository gets which of the pull requests that are left lying. */
function holdsOf(week: number, seed: number): ReadonlyMap<RepositoryName, readonly LyingPlan[]> {
  const dice = new Dice(seed, 'holds', week);
  const byRepository = new Map<RepositoryName, LyingPlan[]>();
  for (const lying of lyingIn(week)) {
    const isShared = lying.desk !== null;
    const drawn = dice.weighted(REPOSITORIES, ({ weekly, endsInWeek, private: hidden }) =>
      endsInWeek === null && !(hidden && isShared) ? weekly : 0,
    );
    const name = lying.desk === 'author' ? DESK_REPOSITORY : drawn?.name;
    if (name === undefined) continue;
    byRepository.set(name, [...(byRepository.get(name) ?? []), lying]);
  }
  return byRepository;
}

interface DemoPlan {
  readonly since: number;
  readonly weeks: number;
  readonly holds: readonly ReadonlyMap<RepositoryName, readonly LyingPlan[]>[];
  readonly calendar: Calendar;
  readonly seed: number;
}

function pullRequestsOf(culture: Culture, index: number, plan: DemoPlan): readonly PullRequestHistory[] {
  const { since, weeks, holds, calendar, seed } = plan;
  const staff = new Staff(culture.name, calendar);
  const titles = noTitles();
  const pullRequests: PullRequestHistory[] = [];
  let awaited: readonly PlannedPullRequest[] = [];
  let number = culture.firstNumber;
  for (let week = 0; week < Math.min(weeks, culture.endsInWeek ?? weeks); week++) {
    const dice = new Dice(seed, culture.name, week);
    const from = since + week * WEEK;
    const practice = practiceOf(culture.name, week);
    const context: WeekContext = { culture, practice, staff, calendar, dice, from, week, titles, seed };
    const plannedOfWeek = [
      ...peoplesOf(context, holds[week]?.get(culture.name) ?? []),
      ...agentsOf(context),
      ...startedWorkOf(context),
      ...routinesOf(context),
    ].sort(byOpening);
    const tell = (upcoming: PlannedPullRequest, ...seedParts: readonly (string | number)[]) => {
      number += 1 + (dice.chance(culture.issuesBetween) ? 1 : 0);
      const own = new Dice(seed, culture.name, ...seedParts);
      const bare = upcoming.tell(idBlock(index, pullRequests.length), number, own);
      const traced = withTraces(bare, staff, seed, upcoming.starter ?? null);
      const told = withAiReviews(traced, culture.name, calendar.weekOf(traced.createdAt), seed);
      pullRequests.push(told);
      awaited = [...awaited, ...(upcoming.consequences?.(told) ?? [])].sort(byOpening);
    };
    const tellAwaited = (before: number) => {
      for (let next = awaited[0]; next !== undefined && next.openedAt < before; next = awaited[0]) {
        awaited = awaited.slice(1);
        tell(next, 'consequence', pullRequests.length);
      }
    };
    for (const [position, upcoming] of plannedOfWeek.entries()) {
      tellAwaited(upcoming.openedAt);
      tell(upcoming, week, position);
    }
    tellAwaited(from + WEEK);
  }
  return pullRequests;
}

function byOpening(one: PlannedPullRequest, other: PlannedPullRequest): number {
  return one.openedAt - other.openedAt;
}

interface WeekContext {
  readonly culture: Culture;
  readonly practice: Practice;
  readonly staff: Staff;
  readonly calendar: Calendar;
  readonly dice: Dice;
  readonly from: number;
  readonly week: number;
  readonly titles: TakenTitles;
  readonly seed: number;
}

/** A company that grows a little, and rests at the turn of the year and in summer. */
function season({ from, week }: WeekContext): number {
  const date = new Date(from + 3 * DAY);
  const day = date.getUTCMonth() * 31 + date.getUTCDate();
  const rest = day >= 11 * 31 + 22 || day <= 2 ? 0.35 : day >= 6 * 31 + 10 && day <= 7 * 31 + 20 ? 0.85 : 1;
  return rest * (0.9 + 0.2 * Math.min(1, week / OPENING_WEEK));
}

function peoplesOf(context: WeekContext, lying: readonly LyingPlan[]): readonly PlannedPullRequest[] {
  const { culture, calendar, dice, from } = context;
  const usual = Array.from({ length: dice.poisson(culture.weekly * season(context)) }, () => null);
  return [...usual, ...lying].flatMap((plan) => {
    const days = plan === null ? undefined : holdDays(from);
    const opening = openingOf(context, plan, days);
    if (opening === null) return [];
    const { person, openedAt } = opening;
    const firstDay = from + (days?.[0] ?? 0) * DAY;
    const hold = plan === null ? null : { ...plan, until: firstDay + dice.uniform(13, 14.5) * DAY };
    return [planned(context, (own) => personActor(person, calendar, own), openedAt, hold)];
  });
}

/** Who opens a pull request and when, none of them on leave; null when nobody was found after a few tries. */
function openingOf(
  { calendar, dice, from, staff }: WeekContext,
  lying: LyingPlan | null,
  days: readonly number[] | undefined,
) {
  const desk = lying?.desk ?? null;
  for (let tries = 0; tries < 6; tries++) {
    const drawn = staff.author(from, lying !== null, dice, desk === null ? null : deskPerson);
    const person = desk === 'author' && tries < 3 ? deskPerson : drawn;
    if (person === null) return null;
    const openedAt = calendar.openingWithin(from, person, dice, days);
    if (!calendar.isAway(person, openedAt)) return { person, openedAt };
  }
  return null;
}

/**
 * The days of the week that begins at `from` on which what will be left lying is opened: the first working days that
 * lie in one run. Narrow, so that one of a kind waits until the next week's has been waiting for two days.
 */
function holdDays(from: number): readonly number[] {
  const monday = Math.floor((mondayWithin(from) - from) / DAY);
  return monday <= 4 ? [monday, monday + 1, monday + 2] : [1, 2];
}

function planned(
  context: WeekContext,
  author: (own: Dice) => Actor,
  openedAt: number,
  hold: StuckScenario | null,
): PlannedPullRequest {
  const { culture, practice, staff, week, titles, seed } = context;
  return {
    openedAt,
    consequences: (told) => (hold === null ? consequencesOf(told, context) : []),
    tell: (id, number, own) =>
      tellLifecycle(
        {
          culture,
          id,
          number,
          title: pullRequestTitle(culture.name, own, titles),
          author: author(own),
          openedAt,
          assisted: 0.03 + 0.17 * Math.min(1, week / OPENING_WEEK),
          hold,
          practice,
          practiceDice: new Dice(seed, 'practice', id),
          desk: personActor(deskPerson, context.calendar, own),
          reviewer: (at, leftOut) => staff.reviewerFor(hold, at, leftOut, own, practice.soleReviewer),
          bystander: (leftOut) => staff.bystander(openedAt, leftOut, own),
        },
        own,
      ),
  };
}

/** Agents open their pull requests when somebody asks them to, by day or overnight. */
function agentsOf(context: WeekContext): readonly PlannedPullRequest[] {
  const { culture, dice, from, week } = context;
  const rising = Math.min(1, 0.2 + week / OPENING_WEEK);
  const bought = week % 3 === 2 ? DEVIN : COPILOT_AGENT;
  return Array.from({ length: dice.poisson(culture.agentWeekly * rising) }, () => {
    const account = culture.agentReviewer?.account === PATCHWISE || dice.chance(0.5) ? PATCHWISE : bought;
    const openedAt = wholeSecond(from + dice.next() * WEEK);
    return planned(context, (own) => automationActor(account, own), openedAt, null);
  });
}

/** Where agents do a good part of the work: what people had them open in working hours. */
function startedWorkOf(context: WeekContext): readonly PlannedPullRequest[] {
  const { culture, practice, staff, calendar, from, week, titles, seed } = context;
  return workOfAgents(culture.name, { week, from, staff, calendar, seed }).map((work): PlannedPullRequest => {
    const { account, openedAt, outcome, starter } = work;
    const surroundings = { ...context, practice: { ...practice, reverted: 0.06, followedUp: 0.1 } };
    const consequences = (told: PullRequestHistory) => consequencesOf(told, surroundings, starter.account.login);
    if (outcome === 'reviewed')
      return { ...planned(context, (own) => automationActor(account, own), openedAt, null), starter, consequences };
    return {
      openedAt,
      starter,
      consequences,
      tell: (id, number, own) => {
        const title = pullRequestTitle(culture.name, own, titles);
        const reviewer = staff.reviewer(openedAt, [personActor(starter, calendar, own)], own, practice.soleReviewer);
        return tellAgentWork({ culture, id, number, title, work, reviewer, calendar }, own);
      },
    };
  });
}

/** Dependency updates on Monday mornings and when a fix comes out, and a release every other week. */
function routinesOf({ culture, practice, staff, dice, from, week }: WeekContext): readonly PlannedPullRequest[] {
  const { account, weekly } = culture.dependencies;
  const routine = (
    openedAt: number,
    opener: Account,
    title: (own: Dice) => string,
    tell: typeof tellBump,
  ): PlannedPullRequest => ({
    openedAt,
    tell: (id, number, own) => {
      const reviewer = staff.reviewer(openedAt, [], own, practice.soleReviewer);
      return tell({ culture, id, number, title: title(own), openedAt, account: opener, reviewer }, own);
    },
  });
  const bumps = Array.from({ length: dice.poisson(weekly) }, () => {
    const monday = mondayWithin(from) + dice.uniform(5, 7) * HOUR;
    return routine(
      withinWeek(from, dice.chance(0.7) ? monday : from + dice.next() * WEEK),
      account,
      bumpTitle,
      tellBump,
    );
  });
  if (!culture.releases || week % 2 === 1) return bumps;
  const openedAt = withinWeek(from, mondayWithin(from) + 2 * DAY + 9 * HOUR + dice.uniform(0, 40) * MINUTE);
  return [...bumps, routine(openedAt, RELEASE_TRAIN, () => `Release ${releaseName(openedAt)}`, tellRelease)];
}

function withinWeek(from: number, at: number): number {
  return wholeSecond(at < from + WEEK ? at : at - WEEK);
}

/** 00:00 UTC of the Monday that lies in the week beginning at `from`. */
function mondayWithin(from: number): number {
  const midnight = Math.ceil(from / DAY);
  return (midnight + ((11 - (midnight % 7)) % 7)) * DAY;
}

function releaseName(at: number): string {
  const date = new Date(at);
  const dayOfYear = Math.floor((at - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY);
  return `${date.getUTCFullYear()}.${Math.floor(dayOfYear / 7) + 1}`;
}
