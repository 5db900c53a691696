import { type AuthorshipFacts, authorshipOf } from './authorship.ts';
import { type CreditFacts, creditOf } from './credit.ts';
import { knownBots } from './known-automation.ts';
import type { Instant, PersonRef, PullRequestRecord } from './pull-request.ts';

/** Who wrote a pull request, and who stands behind it. */
export interface Attribution extends AuthorshipFacts, CreditFacts {
  /** An agent wrote it, or took part in it under a human's account. */
  readonly byAgent: boolean;
}

/**
 * Whether an account is Copilot's coding agent, of whose sessions the host tells who started them; its reviews are another account's.
 */
export function isCopilotCodingAgent(author: PersonRef | null, knownIds: boolean): boolean {
  if (author?.kind !== 'agent') return false;
  return (knownIds && author.id === '198982749') || author.login.toLowerCase() === 'copilot-swe-agent[bot]';
}

/** The names by which people call an agent's account, without `[bot]`: its own, and the others of the list of known automation. */
export function namesOfAgent(login: string): string[] {
  const own = login.replace(/\[bot\]$/i, '');
  const known = knownBots.find(({ logins }) => logins.some((one) => one.toLowerCase() === own.toLowerCase()));
  return [...new Set([own, ...(known?.logins ?? [])])];
}

/**
 * Applies the rules to what is known (docs/server.md#who-wrote-a-pull-request); `firstReviewAt` is that of the first counting review. Of one whose
 * traces were not read yet a trace in a commit makes it `assisted` without evidence, and an agent's is credited to nobody.
 */
export function attributionOf(record: PullRequestRecord, firstReviewAt: Instant | null): Attribution {
  const { author, commits, attribution } = record;
  const found = authorshipOf({
    author,
    headRef: record.headRef,
    labels: attribution.labels,
    commits,
    descriptionMarks: attribution.descriptionMarks,
    namedLabels: attribution.namedLabels,
    knownIds: attribution.knownIds,
    corrected: attribution.correctedAuthorship,
  });
  const hasUnreadTrace =
    !attribution.areCommitsRead && found.authorship === 'human' && commits.some((commit) => commit.byAgent);
  const authorship = hasUnreadTrace && attribution.correctedAuthorship === null ? 'assisted' : found.authorship;
  const credit =
    attribution.isRead || authorship !== 'agent' || attribution.correctedCredit !== null
      ? creditOf({
          authorship,
          author,
          createdAt: record.createdAt,
          commits: commits.map((commit) => ({
            byAgent: commit.author?.kind === 'agent' || commit.byAgent,
            coAuthors: commit.coAuthors,
          })),
          sessionActor: attribution.sessionActor,
          requestedBy: attribution.requestedBy,
          assignments: attribution.assignments,
          requests: record.events
            .filter(({ type }) => type === 'review_requested')
            .map(({ at, actor, reviewer }) => ({ at, actor, reviewer })),
          firstReviewAt,
          issueActors: attribution.issueActors,
          corrected: attribution.correctedCredit,
        })
      : { creditedTo: null, creditBy: null };
  return { ...found, ...credit, authorship, byAgent: authorship === 'assisted' || authorship === 'agent' };
}
