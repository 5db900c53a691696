import type { Commit, Entry, PullRequestHistory } from '../../history.ts';
import { CLAUDE, COPILOT_AGENT, DEVIN, PATCHWISE } from './automation.ts';
import { SECOND } from './calendar.ts';
import { Dice } from './dice.ts';
import type { Person } from './people.ts';
import type { Staff } from './staff.ts';

/** How it shows who had an agent open a pull request; null where nothing does. */
type Sign = 'session' | 'trailer' | 'line' | 'assignee' | null;

/** Which signs the agents leave, and how often: Copilot's host notes who began its session. */
const SIGNS: Readonly<Record<string, readonly { readonly sign: Sign; readonly weight: number }[]>> = {
  [COPILOT_AGENT.login]: [
    { sign: 'session', weight: 6 },
    { sign: 'trailer', weight: 3 },
    { sign: null, weight: 1 },
  ],
  [CLAUDE.login]: [
    { sign: 'trailer', weight: 6 },
    { sign: 'assignee', weight: 1 },
    { sign: null, weight: 2 },
  ],
  [DEVIN.login]: [
    { sign: 'line', weight: 5 },
    { sign: 'assignee', weight: 3 },
    { sign: null, weight: 2 },
  ],
  [PATCHWISE.login]: [
    { sign: 'line', weight: 3 },
    { sign: 'trailer', weight: 2 },
    { sign: null, weight: 1 },
  ],
};

const BY_CLAUDE = /^Co-Authored-By: Claude </m;

/**
 * The same pull request with what agents leave behind besides commits and branches: who had them open it, and what people say of their help.
 * `settled` is who started it, null where nobody is settled. Draws of its own: nothing else of the world depends on it.
 */
export function withTraces(
  pull: PullRequestHistory,
  staff: Staff,
  seed: number,
  settled: Person | null,
): PullRequestHistory {
  const dice = new Dice(seed, 'traces', pull.id);
  const signs = SIGNS[pull.author ?? ''];
  if (signs !== undefined) {
    const starter = settled ?? staff.author(pull.createdAt, false, dice);
    const sign = dice.weighted(signs, ({ weight }) => weight)?.sign ?? null;
    return starter === null || starter.deleted || sign === null ? pull : started(pull, starter, sign, dice);
  }
  return pull.commits.some(({ message }) => BY_CLAUDE.test(message)) ? disclosed(pull, dice) : pull;
}

function started(
  pull: PullRequestHistory,
  { account, name }: Person,
  sign: NonNullable<Sign>,
  dice: Dice,
): PullRequestHistory {
  const at = pull.createdAt + dice.integer(2, 40) * SECOND;
  const { login } = account;
  switch (sign) {
    case 'session':
      return withEntries(pull, [{ kind: 'other', event: 'copilot_work_started', at, by: login }]);
    case 'assignee':
      return withEntries(pull, [{ kind: 'assigned', at, by: login, who: login }]);
    case 'line':
      return { ...pull, body: `Prepared from the ticket's description.\n\nRequested by: @${login}\n` };
    case 'trailer':
      return withTrailer(pull, `Co-authored-by: ${name} <${account.id}+${login}@users.noreply.github.com>`);
  }
}

/** Some say in the description, or with a label, that an assistant helped. */
function disclosed(pull: PullRequestHistory, dice: Dice): PullRequestHistory {
  const at = pull.createdAt + dice.integer(5, 60) * SECOND;
  const label: Entry = { kind: 'labeled', at, by: pull.author, label: 'claude-code-assisted' };
  const labeled = dice.chance(0.3) ? withEntries(pull, [label]) : pull;
  if (!dice.chance(0.5)) return labeled;
  return {
    ...labeled,
    body: 'What changes, and why.\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)\n',
  };
}

function withEntries(pull: PullRequestHistory, added: readonly Entry[]): PullRequestHistory {
  return { ...pull, entries: [...pull.entries, ...added].sort((one, other) => one.at - other.at) };
}

function withTrailer(pull: PullRequestHistory, trailer: string): PullRequestHistory {
  const signed = (commit: Commit): Commit =>
    commit.authorName === pull.author ? { ...commit, message: `${commit.message}\n\n${trailer}` } : commit;
  const entries = pull.entries.map((entry) =>
    (entry.kind === 'commits' || entry.kind === 'force_push') && entry.commits !== undefined
      ? { ...entry, commits: entry.commits.map(signed) }
      : entry,
  );
  return { ...pull, commits: pull.commits.map(signed), entries };
}
