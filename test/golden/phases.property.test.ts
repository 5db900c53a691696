import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wasDraft } from '#domain/drafts.ts';
import { factsOf, phaseTimes } from '#domain/facts.ts';
import { historyOf } from '#domain/history.ts';
import type { PullRequestRecord } from '#domain/pull-request.ts';
import {
  aPullRequest,
  approves,
  asks,
  closed,
  comments,
  dismisses,
  draft,
  forcePushed,
  type Happening,
  hour,
  merged,
  pushed,
  ready,
  replies,
  requestsChanges,
  says,
} from '../support/builders.ts';

/** Times on a coarse grid, so that many things share a second; some before the opening. */
const when = fc.integer({ min: -4, max: 60 }).map((quarters) => quarters / 4);
const whoever = fc.constantFrom('ada', 'rita', 'sam', 'tess', 'bot-updates', 'agent-reviewer', null);

const something: fc.Arbitrary<(index: number) => Happening> = fc
  .tuple(fc.nat({ max: 10 }), when, whoever, fc.nat({ max: 12 }))
  .map(([kind, at, by, other]) => (index) => {
    const id = `review-${index}`;
    switch (kind) {
      case 0:
        return pushed(at, by);
      case 1:
        return approves(at, by, { id });
      case 2:
        return requestsChanges(at, by, { id });
      case 3:
        return comments(at, by, { id, threads: other % 3 });
      case 4:
        return replies(at, by);
      case 5:
        return says(at, by);
      case 6:
        return asks(at, other % 2 === 0 ? 'rita' : '@org/core', by);
      case 7:
        return forcePushed(at, by);
      case 8:
        return ready(at);
      case 9:
        return draft(at);
      default:
        return (pullRequest) => {
          const standing = pullRequest.reviews.find(
            ({ id, state }) => id === `review-${other}` && state !== 'dismissed',
          );
          if (standing !== undefined) dismisses(at, standing.id)(pullRequest);
        };
    }
  });

const NOW = 20;

const pullRequests: fc.Arbitrary<PullRequestRecord> = fc
  .tuple(fc.array(something, { maxLength: 14 }), fc.boolean(), fc.option(when), fc.boolean())
  .map(([things, isDraft, endsAt, merges]) => {
    const happenings = things.map((thing, index) => thing(index));
    if (endsAt !== null) happenings.push(merges ? merged(Math.max(0, endsAt)) : closed(Math.max(0, endsAt)));
    return aPullRequest({ draft: isDraft }, ...happenings);
  });

it('at any time a pull request is in exactly one phase: they follow each other from the opening to the end', () => {
  fc.assert(
    fc.property(pullRequests, (pullRequest) => {
      const { phases, ended_at } = factsOf(pullRequest, hour(NOW));

      let at = hour(0);
      for (const [index, { from, to }] of phases.entries()) {
        expect(from).toBe(at);
        if (index < phases.length - 1) expect(to).toBeGreaterThan(from);
        at = to ?? hour(NOW);
      }
      expect(at).toBe(ended_at ?? hour(NOW));
      expect(phases.at(-1)?.to ?? null).toBe(phases.length === 0 ? null : ended_at);
    }),
    { numRuns: 500 },
  );
});

it('the phases’ durations add up to the whole, to the millisecond, and are those of the spans', () => {
  fc.assert(
    fc.property(pullRequests, (pullRequest) => {
      const facts = factsOf(pullRequest, hour(NOW));
      const times = phaseTimes(facts, hour(NOW));

      const sum = times.active_development_time + times.waiting_for_review_time + (times.post_approval_time ?? 0);
      expect(Math.round(sum * 3_600_000)).toBe((facts.ended_at ?? hour(NOW)) - hour(0));
      const inDevelopment = facts.phases
        .filter(({ phase }) => phase === 'development')
        .reduce((total, { from, to }) => total + (to ?? hour(NOW)) - from, 0);
      expect(Math.round(times.active_development_time * 3_600_000)).toBe(inDevelopment);
    }),
    { numRuns: 500 },
  );
});

it('a draft is in development whatever happens', () => {
  fc.assert(
    fc.property(pullRequests, (pullRequest) => {
      const { drafts, end } = historyOf(pullRequest, hour(NOW));
      const { phases } = factsOf(pullRequest, hour(NOW));

      for (let at = hour(0) + 1; at < end; at += 450_000) {
        const span = phases.find(({ from, to }) => from <= at && at < (to ?? hour(NOW)));
        if (wasDraft(drafts, at)) expect(span?.phase).toBe('development');
      }
    }),
    { numRuns: 300 },
  );
});

it('what is stored of an open pull request gives the durations of any later moment', () => {
  fc.assert(
    fc.property(pullRequests, fc.integer({ min: 0, max: 5_000 }), (pullRequest, later) => {
      const now = hour(NOW + later / 7);

      const stored = phaseTimes(factsOf(pullRequest, hour(NOW)), now);

      const computedAnew = phaseTimes(factsOf(pullRequest, now), now);
      for (const key of ['active_development_time', 'waiting_for_review_time'] as const) {
        expect(stored[key]).toBeCloseTo(computedAnew[key], 9);
      }
      expect(stored.post_approval_time === null).toBe(computedAnew.post_approval_time === null);
    }),
    { numRuns: 300 },
  );
});

it('the order in which the host lists things of one kind changes nothing', () => {
  fc.assert(
    fc.property(pullRequests, (pullRequest) => {
      const reversed: PullRequestRecord = {
        ...pullRequest,
        reviews: pullRequest.reviews.toReversed(),
        comments: pullRequest.comments.toReversed(),
        events: pullRequest.events.toReversed(),
      };

      expect(factsOf(reversed, hour(NOW))).toEqual(factsOf(pullRequest, hour(NOW)));
    }),
    { numRuns: 300 },
  );
});

it('what bots and agents review changes no figure of people', () => {
  fc.assert(
    fc.property(pullRequests, fc.array(when, { maxLength: 5 }), (pullRequest, times) => {
      const automated = aPullRequest(
        {},
        ...times.map((at, index) => requestsChanges(at, 'agent-reviewer', { id: `agent-${index}` })),
      );
      const people = (record: PullRequestRecord) => {
        const { first_agent_review_at, reviews, ...rest } = factsOf(record, hour(NOW));
        return { ...rest, reviews: reviews.filter(({ role }) => role === 'counting') };
      };

      const withAutomation = { ...pullRequest, reviews: [...pullRequest.reviews, ...automated.reviews] };

      expect(people(withAutomation)).toEqual(people(pullRequest));
    }),
    { numRuns: 300 },
  );
});
