import { knownBots, toolOf } from './known-automation.ts';

/*
 * The traces that coding agents leave in texts (docs/server.md#who-wrote-a-pull-request). They are matched on addresses at trailer lines and on fixed
 * marks, never on names: many agents are called as people are. Texts are looked through once, when they are read from the host; only the
 * marks found in them are kept.
 */

/** The rule by which a trace counts, as docs/server.md#who-wrote-a-pull-request numbers them. */
export type AgentRule = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** A trace found in a text, in a wording of ours: nothing else of the text is kept. */
export interface AgentMark {
  readonly rule: Extract<AgentRule, 2 | 3 | 4 | 7>;
  readonly tool: string;
  readonly text: string;
}

/** Whom a trailer names by an address that a host gives to its accounts: the id decides, where the address has one of this host. */
export interface CoAuthor {
  readonly id: string | null;
  readonly login: string;
}

export interface CommitMarks {
  readonly marks: readonly AgentMark[];
  readonly coAuthors: readonly CoAuthor[];
  /** The commit that the message says it reverts, at least seven digits of it. */
  readonly revertsSha: string | null;
}

export interface CommitText {
  /** Headline, blank line, body and trailers. */
  readonly message: string;
  /** The git author's name and address; null where the host hides them. */
  readonly authorName: string | null;
  readonly authorEmail: string | null;
}

export interface DescriptionMarks {
  readonly marks: readonly AgentMark[];
  /** Logins of those who are named as who requested it. */
  readonly requestedBy: readonly string[];
  /** Pull requests that it says it reverts; `repository` is `owner/name`, null for its own. */
  readonly reverts: readonly { readonly repository: string | null; readonly number: number }[];
}

/** Addresses of agents that write code, in lower case. */
const toolByAddress: ReadonlyMap<string, string> = new Map([
  ['198982749+copilot@users.noreply.github.com', 'copilot'],
  ['copilot@github.com', 'copilot'],
  ['noreply@anthropic.com', 'claude'],
  ['cursoragent@cursor.com', 'cursor'],
  ['codex@openai.com', 'codex'],
  ['aider@aider.chat', 'aider'],
  ['noreply@aider.chat', 'aider'],
  ['amp@ampcode.com', 'amp'],
  ...knownBots.flatMap((known) => {
    if (known.kind !== 'agent' || known.does === 'reviews' || known.hostId === null) return [];
    const tool = toolOf(known);
    return known.logins.flatMap((login) =>
      [login, `${login}[bot]`].map((one): [string, string] => [
        `${known.hostId}+${one.toLowerCase()}@users.noreply.github.com`,
        tool,
      ]),
    );
  }),
]);

/** How people write the names of tools after `Assisted-by:`, longer ones first. */
const toolNames: readonly (readonly [name: string, tool: string])[] = [
  ['github copilot', 'copilot'],
  ['claude code', 'claude'],
  ['copilot', 'copilot'],
  ['claude', 'claude'],
  ['cursor', 'cursor'],
  ['codex', 'codex'],
  ['aider', 'aider'],
  ['amp', 'amp'],
  ['devin', 'devin'],
  ['jules', 'jules'],
  ['gemini', 'gemini'],
  ['cline', 'cline'],
  ['replit', 'replit'],
];

/** Co-authors of one commit that are kept: whoever writes a message can name as many as they like. */
const MOST_CO_AUTHORS = 20;

const claudeFooter = /^[^\w>\n]{0,8}Generated with \[Claude Code\]/m;

/**
 * Looks through a commit; `hostname` is that of the host's own addresses, e.g. `github.com`, `paths` are those of the files that its pull
 * request changes.
 */
export function marksOfCommit(
  { message, authorName, authorEmail }: CommitText,
  hostname: string,
  paths: ReadonlySet<string> = new Set(),
): CommitMarks {
  const marks: AgentMark[] = [];
  const authored = toolByAddress.get((authorEmail ?? '').trim().toLowerCase());
  if (authored !== undefined)
    marks.push({ rule: 2, tool: authored, text: `Commit by ${authorEmail!.trim().toLowerCase()}` });

  const addresses = addressesOf(message);
  if (!isSuggestion(message, paths)) {
    for (const address of addresses) {
      const tool = toolByAddress.get(address);
      if (tool !== undefined) marks.push({ rule: 3, tool, text: `Co-authored-by: ${address}` });
    }
  }
  if (authorName?.trimEnd().endsWith(' (aider)'))
    marks.push({ rule: 4, tool: 'aider', text: 'Author’s name ends in (aider)' });
  if (message.startsWith('aider:')) marks.push({ rule: 4, tool: 'aider', text: 'Headline begins with aider:' });
  if (trailers(message, 'made-with').some((value) => value.toLowerCase() === 'cursor'))
    marks.push({ rule: 4, tool: 'cursor', text: 'Made-with: Cursor' });
  if (trailers(message, 'replit-commit-author').some((value) => value.toLowerCase() === 'agent'))
    marks.push({ rule: 4, tool: 'replit', text: 'Replit-Commit-Author: Agent' });
  for (const value of trailers(message, 'assisted-by')) {
    const tool = toolNamedFirst(value);
    if (tool !== null) marks.push({ rule: 4, tool, text: `Assisted-by: ${tool}` });
  }
  if (claudeFooter.test(message)) marks.push({ rule: 4, tool: 'claude', text: 'Generated with [Claude Code]' });

  const coAuthors = addresses.flatMap((address) => {
    const named = toolByAddress.has(address) ? null : accountOfAddress(address, hostname);
    return named === null ? [] : [named];
  });
  return {
    marks: distinct(marks, ({ rule, text }) => `${rule} ${text}`),
    coAuthors: distinct(coAuthors, ({ id, login }) => id ?? `@${login}`).slice(0, MOST_CO_AUTHORS),
    revertsSha: /\bThis reverts commit ([0-9a-f]{7,40})\b/i.exec(message)?.[1]?.toLowerCase() ?? null,
  };
}

/** Looks through a description; what it quotes and what stands in code blocks says nothing. */
export function marksOfDescription(body: string): DescriptionMarks {
  const text = withoutQuotes(body);
  const marks: AgentMark[] = [];
  if (claudeFooter.test(text)) marks.push({ rule: 7, tool: 'claude', text: 'Generated with [Claude Code]' });
  if (/^[^\w\n]{0,8}Link to Devin (?:run|session): https:\/\/app\.devin\.ai\/sessions\//m.test(text))
    marks.push({ rule: 7, tool: 'devin', text: 'Link to Devin run' });
  const requested = text.split('\n').flatMap(requesterOf);
  const reverts = [...text.matchAll(/^[ \t]*Reverts (?:([\w.-]{1,100}\/[\w.-]{1,100}))?#(\d{1,9})[ \t]*$/gim)];
  return {
    marks,
    requestedBy: distinct(requested, (login) => login.toLowerCase()),
    reverts: reverts.map(([, repository, number]) => ({ repository: repository ?? null, number: Number(number) })),
  };
}

/** How many words a text has: runs without a space that hold a letter or a digit. */
export function wordsOf(text: string): number {
  let words = 0;
  for (const [run] of text.matchAll(/\S+/g)) if (/[\p{L}\p{N}]/u.test(run)) words += 1;
  return words;
}

/** The values of the trailers of this name, anywhere in a message. */
function trailers(message: string, name: string): string[] {
  return message.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':');
    return colon === name.length && line.slice(0, colon).toLowerCase() === name ? [line.slice(colon + 1).trim()] : [];
  });
}

/** The addresses of all co-authors, in lower case, in their order. */
function addressesOf(message: string): string[] {
  return trailers(message, 'co-authored-by').flatMap((value) => {
    const [from, to] = [value.lastIndexOf('<'), value.lastIndexOf('>')];
    return from >= 0 && to > from
      ? [
          value
            .slice(from + 1, to)
            .trim()
            .toLowerCase(),
        ]
      : [];
  });
}

/**
 * A suggestion taken over names its author as a co-author, who did not write the commit. The host calls it after the whole path of its
 * file, which may have another name by now: what looks like a path is one, and any other, such as "Makefile" or one with blanks, is
 * recognised by the files of the pull request. "Update dependencies" and "Update the parser to 1.2" are none.
 */
function isSuggestion(message: string, paths: ReadonlySet<string>): boolean {
  const [headline = '', ...rest] = message.split(/\r?\n/);
  if (/^Apply suggestions? from code review\b/i.test(headline)) return true;
  const isNothingElse = rest.every((line) => line.trim() === '' || /^co-authored-by:/i.test(line));
  const [, file] = /^Update (.+)$/.exec(headline.trim()) ?? [];
  return isNothingElse && file !== undefined && (paths.has(file) || looksLikePath(file));
}

/** Without blanks, with a folder or an extension: a full stop at its end makes none. */
function looksLikePath(text: string): boolean {
  return !/\s/.test(text) && /[./][^.]/.test(text);
}

/** The account that a no-reply address names: by its id only where the address is this host's own. A managed user's login has a `_`. */
function accountOfAddress(address: string, hostname: string): CoAuthor | null {
  const [, id, login, host] =
    /^(?:(\d{1,15})\+)?([a-z\d][a-z\d_-]{0,98}(?:\[bot\])?)@users\.noreply\.([a-z\d.-]{1,253})$/.exec(address) ?? [];
  if (login === undefined) return null;
  return { id: host === hostname && id !== undefined ? String(Number(id)) : null, login };
}

function toolNamedFirst(value: string): string | null {
  const lower = value.toLowerCase();
  const found = toolNames.find(([name]) => lower.startsWith(name) && !/^[\p{L}\p{N}]/u.test(lower.slice(name.length)));
  return found?.[1] ?? null;
}

/** As `Requested by: @login` or `Requested by: Name (@login)`, set off by any signs. */
function requesterOf(line: string): string[] {
  const text = line.trim();
  const [, after] = /^\W{0,20}Requested by:(.{1,300})$/i.exec(text) ?? [];
  if (after === undefined) return [];
  const [, login] = /(?:^[^\w@]*|\()@([a-z\d-]{1,100})\)?\W*$/i.exec(after) ?? [];
  return login === undefined ? [] : [login];
}

/**
 * A text without fenced code blocks and without quotes. As in CommonMark a line of backticks with another behind them is code within the line,
 * and what ends a block has nothing behind it.
 */
function withoutQuotes(text: string): string {
  let fence: string | null = null;
  return text
    .split(/\r?\n/)
    .filter((line) => {
      const [, mark, rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
      if (fence !== null) {
        if (mark?.startsWith(fence) && rest.trim() === '') fence = null;
        return false;
      }
      const opens = mark !== undefined && !(mark.startsWith('`') && rest.includes('`'));
      if (opens) fence = mark;
      return !opens && !/^ {0,3}>/.test(line);
    })
    .join('\n');
}

function distinct<T>(items: readonly T[], key: (item: T) => string): T[] {
  const seen = new Set<string>();
  return items.filter((item) => !seen.has(key(item)) && seen.add(key(item)));
}
