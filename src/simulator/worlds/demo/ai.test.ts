import { describe, expect, it } from 'vitest';
import { NOW, world } from '../../../../test/support/demo.ts';
import { isMachine, stateAt } from '../../../../test/support/demo-figures.ts';
import type { Entry, PullRequestHistory } from '../../history.ts';
import {
  CLAUDE,
  CODERABBIT,
  COPILOT_AGENT,
  COPILOT_REVIEWER,
  DEPENDABOT,
  DEPS_BOT,
  DEVIN,
  GEMINI,
  GITHUB_ACTIONS,
} from './automation.ts';
import { DAY } from './calendar.ts';
import { endOf } from './pulse.ts';

const pullRequestsOf = (repository: string) => world.repositories.find(({ name }) => name === repository)!.pullRequests;
const all = world.repositories.flatMap(({ pullRequests }) => pullRequests);
const ended = all.filter((pull) => endOf(pull) <= NOW && endOf(pull) > NOW - 30 * DAY);
const AGENTS: readonly (string | null)[] = [CLAUDE, COPILOT_AGENT, DEVIN].map(({ login }) => login);

const BOTS: readonly (string | null)[] = [DEPENDABOT, DEPS_BOT, GITHUB_ACTIONS].map(({ login }) => login);

type Fate = 'changed' | 'resolved' | 'answered' | 'hidden' | 'ignored';

interface Finding {
  readonly pull: PullRequestHistory;
  readonly by: string | null;
  readonly fate: Fate;
  readonly up: boolean;
  readonly down: boolean;
}

/** The comments that open a thread in what ended in the last 30 days, with what became of each. */
const findings = ended.flatMap((pull): Finding[] => {
  const end = endOf(pull);
  const entries = pull.entries.filter(({ at }) => at <= end);
  return entries.flatMap((entry) =>
    entry.kind === 'review' && entry.by !== pull.author
      ? entry.comments
          .filter(({ inReplyTo }) => inReplyTo === null)
          .map(({ id }) => {
            const about = (kind: Entry['kind']) =>
              entries.filter((one) => one.kind === kind && 'comment' in one && one.comment === id);
            const replies = entries.filter(
              (one) => one.kind === 'review' && one.comments.some(({ inReplyTo }) => inReplyTo === id),
            );
            const hidden = about('comment_minimized').some(
              (one) => one.kind === 'comment_minimized' && one.reason !== 'resolved',
            );
            const thumb = (content: string) =>
              about('reacted').some((one) => one.kind === 'reacted' && one.content === content);
            const fates: readonly (readonly [Fate, boolean])[] = [
              ['changed', about('comment_outdated').length > 0],
              ['resolved', about('thread_resolved').length > 0],
              ['answered', replies.some(({ by }) => by !== entry.by && !isMachine(by))],
              ['hidden', hidden],
              ['ignored', true],
            ];
            const fate = fates.find(([, is]) => is)![0];
            return { pull, by: entry.by, fate, up: thumb('THUMBS_UP'), down: thumb('THUMBS_DOWN') };
          })
      : [],
  );
});

const by = (login: string) => findings.filter((finding) => finding.by === login);
const byPeople = findings.filter((finding) => !isMachine(finding.by));
const share = <T>(items: readonly T[], is: (item: T) => boolean) => items.filter(is).length / items.length;
const isFate =
  (...fates: readonly Fate[]) =>
  ({ fate }: Finding) =>
    fates.includes(fate);
const isNoise = isFate('hidden', 'ignored');
const sees = (login: string) => (pull: PullRequestHistory) => pull.entries.some((entry) => entry.by === login);
const perPullRequest = (login: string) =>
  ended.filter(sees(login)).map((pull) => by(login).filter((finding) => finding.pull === pull).length);

describe('the AI reviewers of the demo', () => {
  it('have enough findings of a month to be compared with people’s', () => {
    for (const of of [by(COPILOT_REVIEWER.login), by(CODERABBIT.login), byPeople])
      expect(of.length).toBeGreaterThan(40);
  });

  it('are one whose findings lead to changes nearly as often as people’s, and are liked', () => {
    const its = by(COPILOT_REVIEWER.login);

    expect(share(its, isFate('changed'))).toBeGreaterThan(share(byPeople, isFate('changed')) - 0.15);
    expect(share(its, isNoise)).toBeLessThan(0.4);
    expect(its.filter(({ up }) => up).length).toBeGreaterThan(3 * its.filter(({ down }) => down).length);
  });

  it('are one that talks much, on bots’ pull requests too, and is not listened to', () => {
    const its = by(CODERABBIT.login);
    const counts = perPullRequest(CODERABBIT.login);

    expect(share(its, isFate('changed'))).toBeLessThan(share(byPeople, isFate('changed')) / 2);
    expect(share(its, isNoise)).toBeGreaterThan(0.6);
    expect(its.filter(isFate('hidden')).length).toBeGreaterThan(5);
    expect(its.filter(({ down }) => down).length).toBeGreaterThan(its.filter(({ up }) => up).length);
    expect(share(counts, (count) => count > 10)).toBeGreaterThan(0.08);
    expect(share(counts, (count) => count === 0)).toBeGreaterThan(0.1);
    expect(share(ended.filter(sees(CODERABBIT.login)), ({ author }) => BOTS.includes(author))).toBeGreaterThan(0.08);
  });

  it('are one that few try: too few findings to compare', () => {
    const its = by(GEMINI.login).length;

    expect(its).toBeGreaterThan(0);
    expect(its).toBeLessThan(20);
  });

  it('show people’s work before and after one came, in the repository that it came to', () => {
    const pullRequests = pullRequestsOf('quayside');
    const came = Math.min(
      ...pullRequests.flatMap(({ entries }) =>
        entries.filter((entry) => entry.by === CODERABBIT.login).map(({ at }) => at),
      ),
    );
    const endedWithin = (from: number, to: number) =>
      pullRequests.filter((pull) => endOf(pull) >= from && endOf(pull) < to).length;

    expect(came).toBeLessThan(NOW - 91 * DAY);
    expect(endedWithin(came - 90 * DAY, came)).toBeGreaterThan(20);
    expect(endedWithin(came, came + 90 * DAY)).toBeGreaterThan(20);
  });
});

describe('the agents of the demo', () => {
  const openedIn = (repository: string) =>
    pullRequestsOf(repository).filter(({ createdAt }) => createdAt > NOW - 90 * DAY && createdAt <= NOW);
  const isAgents = ({ author }: PullRequestHistory) => AGENTS.includes(author);
  const theirs = all.filter((pull) => isAgents(pull) && endOf(pull) <= NOW && endOf(pull) > NOW - 90 * DAY);
  const talks = (pull: PullRequestHistory) =>
    new Set(
      pull.entries
        .filter((entry) => (entry.kind === 'review' || entry.kind === 'comment') && !isMachine(entry.by))
        .map((entry) => entry.by),
    );

  it('open a third of one repository’s pull requests, and enough in a month to be compared', () => {
    expect(share(openedIn('pricing'), isAgents)).toBeGreaterThan(0.27);
    expect(share(openedIn('pricing'), isAgents)).toBeLessThan(0.42);
    expect(
      all.filter((pull) => isAgents(pull) && pull.createdAt > NOW - 30 * DAY && pull.createdAt <= NOW).length,
    ).toBeGreaterThan(20);
  });

  it('have some tried and thrown away within a day, and some merged though only one person had a word', () => {
    const tried = theirs.filter(
      (pull) =>
        stateAt(pull, NOW) === 'closed' &&
        endOf(pull) - pull.createdAt < DAY &&
        !pull.entries.some((entry) => entry.kind === 'review' && !isMachine(entry.by)),
    );
    const ownWord = theirs.filter(
      (pull) =>
        stateAt(pull, NOW) === 'merged' &&
        [...talks(pull)].every((person) =>
          pull.entries.some((entry) => entry.kind === 'merged' && entry.by === person),
        ),
    );

    expect(tried.length).toBeGreaterThan(4);
    expect(ownWord.length).toBeGreaterThan(4);
  });

  it('work through a workflow’s account, too, and leave a trace in the commit', () => {
    const through = all.filter(
      ({ author, commits }) =>
        author === GITHUB_ACTIONS.login && commits.some(({ message }) => message.includes('Co-Authored-By: Claude')),
    );

    expect(through.length).toBeGreaterThan(5);
  });
});
