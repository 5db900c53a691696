import type { PersonRef } from '#domain/pull-request.ts';
import { dateOf, lastDates, meanOf, percentileOf, rateOf, sortedBy } from './arithmetic.ts';
import { authoredBy, doings, everybody, lastActivityOf, reviewsOf } from './people.ts';
import { DAY, isHuman, type TwinPull } from './pull-request.ts';
import { listed } from './team.ts';

export function contributorList(pulls: readonly TwinPull[], now: number, withAutomation: boolean) {
  const rows = listed(pulls, withAutomation).flatMap((person) => {
    const theirs = authoredBy(pulls, person);
    const reviews = reviewsOf(pulls, person);
    if (theirs.length + reviews.length === 0) return [];
    return {
      username: person.login,
      total_prs_opened: theirs.length,
      total_prs_merged: theirs.filter(({ pull }) => pull.state === 'merged').length,
      current_open_prs: theirs.filter(({ pull }) => pull.state === 'open').length,
      last_activity: dateOrNull(lastActivityOf(pulls, person, now)),
      repositories_count: new Set([...theirs, ...reviews.map(({ on }) => on)].map(({ repository }) => repository)).size,
    };
  });
  return sortedBy(rows, (row) => [row.last_activity === null ? null : -Date.parse(row.last_activity), row.username]);
}

const dateOrNull = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Logins in the order of the search. */
export function searchResult(pulls: readonly TwinPull[], now: number, query: string): string[] {
  const text = query.trim().toLowerCase();
  if (text === '') return [];
  const found = contributorList(pulls, now, false).filter(({ username }) => {
    const person = everybody(pulls).find(({ login }) => login === username)!;
    return [person.login, person.displayName ?? ''].some((words) => words.toLowerCase().includes(text));
  });
  const rank = (login: string) => (login.toLowerCase() === text ? 0 : login.toLowerCase().startsWith(text) ? 1 : 2);
  return sortedBy(found, ({ username }) => [rank(username), username])
    .slice(0, 20)
    .map(({ username }) => username);
}

/** A person's own pull requests as `owner/name#number`, newest first. */
export function pullsOf(pulls: readonly TwinPull[], person: PersonRef, after: number | null): string[] {
  return sortedBy(
    authoredBy(pulls, person).filter(({ createdAt }) => after === null || createdAt > after),
    ({ createdAt, owner, name, pull }) => [-createdAt, owner, name, pull.number],
  ).map(({ repository, pull }) => `${repository}#${pull.number}`);
}

export function heatmap(pulls: readonly TwinPull[], person: PersonRef, now: number, zone: string) {
  const cells = new Map<string, number>();
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  for (const { at } of reviewsOf(pulls, person)) {
    if (at <= now - 90 * DAY) continue;
    const parts = Object.fromEntries(clock.formatToParts(at).map(({ type, value }) => [type, value]));
    const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.weekday!) + 1;
    const key = `${weekday} ${Number(parts.hour)}`;
    cells.set(key, (cells.get(key) ?? 0) + 1);
  }
  const rows = [...cells].map(([key, count]) => {
    const [weekday = 0, hour = 0] = key.split(' ').map(Number);
    return { weekday, hour, count };
  });
  return sortedBy(rows, ({ weekday, hour }) => [weekday, hour]);
}

export function contributorFigures(
  pulls: readonly TwinPull[],
  person: PersonRef,
  days: number,
  now: number,
  zone: string,
) {
  const after = now - days * DAY;
  const now_ = figuresOf(pulls, person, after, now);
  const before = figuresOf(pulls, person, after - days * DAY, after);
  const theirs = authoredBy(pulls, person);
  const opened = theirs.filter(({ createdAt }) => createdAt > after);
  const reviews = reviewsOf(pulls, person).filter(({ at }) => at > after);
  const responses = reviews.flatMap(({ response }) => (response === null ? [] : [response]));
  const calendar = calendarOf(pulls, person, now, zone);
  const activeDays = calendar.slice(-30).filter(({ count }) => count > 0).length;

  const commits = new Set<string>();
  for (const { pull } of pulls)
    for (const commit of pull.commits)
      if (
        commit.author?.id === person.id &&
        Math.min(commit.authoredAt, now) > after &&
        !(commit.authorIsBot && isHuman(person))
      )
        commits.add(commit.sha);

  const sizes = (low: number, high: number) => opened.filter(({ size }) => size >= low && size <= high).length;
  return {
    username: person.login,
    kind: person.kind,
    last_active: dateOrNull(lastActivityOf(pulls, person, now)),
    badges: badgesOf(pulls, person, after, { responses, opened, activeDays, ...now_ }),
    total_prs_opened: now_.total_prs_opened,
    total_prs_merged: now_.total_prs_merged,
    total_commits: commits.size,
    current_open_prs: theirs.filter(({ pull }) => pull.state === 'open').length,
    active_days: activeDays,
    prs_opened_trend: trend(now_.total_prs_opened, before.total_prs_opened),
    prs_merged_trend: trend(now_.total_prs_merged, before.total_prs_merged),
    avg_time_to_merge_hours: now_.avg_time_to_merge_hours,
    time_to_merge_trend:
      now_.avg_time_to_merge_hours === null || before.avg_time_to_merge_hours === null
        ? null
        : trend(now_.avg_time_to_merge_hours, before.avg_time_to_merge_hours),
    previous: {
      total_prs_opened: before.total_prs_opened,
      total_prs_merged: before.total_prs_merged,
      total_prs_reviewed: before.total_prs_reviewed,
      avg_time_to_merge_hours: before.avg_time_to_merge_hours,
    },
    avg_pr_size: now_.avg_pr_size,
    pr_merge_rate: now_.pr_merge_rate,
    avg_review_cycles: now_.avg_review_cycles,
    review_response_time_p50: percentileOf(responses, 0.5),
    review_response_time_p75: percentileOf(responses, 0.75),
    review_response_time_p95: percentileOf(responses, 0.95),
    total_prs_reviewed: now_.total_prs_reviewed,
    prs_reviewed_trend: trend(now_.total_prs_reviewed, before.total_prs_reviewed),
    unique_developers_reviewed: new Set(
      reviews.flatMap(({ on }) => (isHuman(on.pull.author) ? [on.pull.author.id] : [])),
    ).size,
    avg_review_response_time: now_.avg_review_response_time,
    top_reviewed_by: topReviewers(theirs, person, after),
    code_ownership_areas: areas(theirs.filter(({ pull, endedAt }) => pull.state === 'merged' && endedAt! > after)),
    stale_prs: sortedBy(
      theirs.filter(
        ({ pull, humanActivityAt }) => pull.state === 'open' && !pull.draft && now - humanActivityAt >= 7 * DAY,
      ),
      ({ humanActivityAt, owner, name, pull }) => [humanActivityAt, owner, name, pull.number],
    ).map(({ repository, pull, humanActivityAt }) => ({
      pr_number: pull.number,
      title: pull.title,
      repo: repository,
      days_stale: Math.floor((now - humanActivityAt) / DAY),
    })),
    large_pr_frequency: rateOf(opened, ({ size }) => size > 500),
    pr_size_distribution: {
      '0-50': sizes(0, 50),
      '51-200': sizes(51, 200),
      '201-500': sizes(201, 500),
      '501-1000': sizes(501, 1000),
      '1000+': sizes(1001, Number.POSITIVE_INFINITY),
    },
    velocity_trend: [5, 4, 3, 2, 1, 0].map((back) => {
      const week = figuresOf(pulls, person, now - (back + 1) * 7 * DAY, now - back * 7 * DAY);
      return {
        week: dateOf(zone, now - (back + 1) * 7 * DAY),
        prs_opened: week.total_prs_opened,
        prs_merged: week.total_prs_merged,
      };
    }),
    team_averages: {
      total_prs_opened: teamMeans(pulls, now - 42 * DAY, now).total_prs_opened,
      total_prs_merged: teamMeans(pulls, now - 42 * DAY, now).total_prs_merged,
      active_people: activePeople(pulls, after, now).length,
      period: teamMeans(pulls, after, now),
    },
    activity_calendar: calendar,
    // Whoever asks is none of these people.
    with_agents: null,
  };
}

function figuresOf(pulls: readonly TwinPull[], person: PersonRef, from: number, to: number) {
  const within = (at: number | null) => at !== null && at > from && at <= to;
  const theirs = authoredBy(pulls, person);
  const opened = theirs.filter(({ createdAt }) => within(createdAt));
  const ended = theirs.filter(({ endedAt }) => within(endedAt));
  const merged = ended.filter(({ pull }) => pull.state === 'merged');
  const reviews = reviewsOf(pulls, person).filter(({ at }) => within(at));
  return {
    total_prs_opened: opened.length,
    total_prs_merged: merged.length,
    total_prs_reviewed: new Set(reviews.map(({ on }) => `${on.repository}#${on.pull.number}`)).size,
    avg_time_to_merge_hours: meanOf(merged.map(({ mergeHours }) => mergeHours)),
    avg_pr_size: meanOf(opened.map(({ size }) => size)),
    pr_merge_rate: ended.length === 0 ? null : merged.length / ended.length,
    avg_review_cycles: meanOf(merged.filter(({ counting }) => counting.length > 0).map(({ rounds }) => rounds)),
    avg_review_response_time: meanOf(reviews.map(({ response }) => response)),
    ended: ended.length,
  };
}

function activePeople(pulls: readonly TwinPull[], after: number, now: number) {
  return everybody(pulls).filter((person) => isHuman(person) && doings(pulls, person, now).some((at) => at > after));
}

function teamMeans(pulls: readonly TwinPull[], after: number, now: number) {
  const each = activePeople(pulls, after, now).map((person) => figuresOf(pulls, person, after, now));
  return {
    total_prs_opened: meanOf(each.map((figures) => figures.total_prs_opened)),
    total_prs_merged: meanOf(each.map((figures) => figures.total_prs_merged)),
    total_prs_reviewed: meanOf(each.map((figures) => figures.total_prs_reviewed)),
    avg_time_to_merge_hours: meanOf(each.map((figures) => figures.avg_time_to_merge_hours)),
    avg_pr_size: meanOf(each.map((figures) => figures.avg_pr_size)),
    pr_merge_rate: meanOf(each.map((figures) => figures.pr_merge_rate)),
    avg_review_cycles: meanOf(each.map((figures) => figures.avg_review_cycles)),
    avg_review_response_time: meanOf(each.map((figures) => figures.avg_review_response_time)),
  };
}

function trend(current: number, previous: number): number {
  if (previous === 0) return current > 0 ? 100 : 0;
  return (100 * (current - previous)) / previous;
}

function topReviewers(theirs: readonly TwinPull[], { id }: PersonRef, after: number) {
  const counts = new Map<string, number>();
  for (const { counting } of theirs)
    for (const { by, at } of counting)
      if (at > after && by.id !== id) counts.set(by.login, (counts.get(by.login) ?? 0) + 1);
  return sortedBy(
    [...counts].map(([username, count]) => ({ username, avatar_url: null, count })),
    ({ username, count }) => [-count, username],
  ).slice(0, 3);
}

function areas(merged: readonly TwinPull[]) {
  const lines = new Map<string, number>();
  let total = 0;
  for (const { pull } of merged)
    for (const { path, additions, deletions } of pull.files) {
      const area = path.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
      lines.set(area, (lines.get(area) ?? 0) + additions + deletions);
      total += additions + deletions;
    }
  return sortedBy(
    [...lines].filter(([, count]) => count > 0).map(([path, count]) => ({ path, percentage: (100 * count) / total })),
    ({ path, percentage }) => [-percentage, path],
  ).slice(0, 3);
}

function calendarOf(pulls: readonly TwinPull[], person: PersonRef, now: number, zone: string) {
  const dates = doings(pulls, person, now).map((at) => dateOf(zone, at));
  const days = lastDates(zone, now, 84).map((date) => ({
    date,
    count: dates.filter((other) => other === date).length,
  }));
  const busy = days.map(({ count }) => count).filter((count) => count > 0);
  return days.map(({ date, count }) => {
    let level = count === 0 ? 0 : 1;
    if (count > 0) for (const share of [0.25, 0.5, 0.75]) if (count > percentileOf(busy, share)!) level += 1;
    return { date, count, level };
  });
}

function badgesOf(
  pulls: readonly TwinPull[],
  person: PersonRef,
  after: number,
  figures: {
    responses: number[];
    opened: TwinPull[];
    activeDays: number;
    pr_merge_rate: number | null;
    ended: number;
  },
): string[] {
  const given = (of: PersonRef) => (isHuman(of) ? reviewsOf(pulls, of).filter(({ at }) => at > after).length : 0);
  const most = Math.max(0, ...everybody(pulls).map(given));
  const median = percentileOf(figures.responses, 0.5);
  const small = figures.opened.filter(({ size }) => size < 200).length;
  const badges: string[] = [];
  if (most > 0 && given(person) === most) badges.push('Top Reviewer');
  if (figures.responses.length >= 5 && median! <= 4) badges.push('Fast Responder');
  if (figures.opened.length >= 5 && small >= 0.7 * figures.opened.length) badges.push('Small PRs');
  if (figures.activeDays >= 20) badges.push('Consistent');
  if (figures.ended >= 5 && figures.pr_merge_rate! >= 0.9) badges.push('Closer');
  return badges;
}
