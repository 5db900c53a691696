import { agentOf } from './account-kind.ts';
import type { AgentMark, AgentRule } from './agent-traces.ts';
import type { CommitRecord, PersonRef } from './pull-request.ts';

/** `human`: no trace; `assisted`: a person opened it and an agent left a trace in it; else the kind of the account that opened it. */
export type Authorship = 'human' | 'assisted' | 'agent' | 'bot' | 'ghost';

/** How sure a trace is, the surest first. */
const confidences = ['account', 'commit', 'said', 'branch'] as const;
export type Confidence = (typeof confidences)[number];

export interface Evidence {
  readonly rule: AgentRule;
  readonly tool: string;
  readonly confidence: Confidence;
  readonly text: string;
  /** The commit, label or branch that it was found in; null for the account and the description. */
  readonly source: string | null;
}

export interface AuthorshipInput {
  readonly author: PersonRef | null;
  readonly headRef: string;
  readonly labels: readonly string[];
  readonly commits: readonly {
    readonly sha: string;
    readonly author: PersonRef | null;
    readonly marks: readonly AgentMark[];
  }[];
  readonly descriptionMarks: readonly AgentMark[];
  /** Labels that the settings name. */
  readonly namedLabels: readonly { readonly label: string; readonly tool: string }[];
  /** Whether the host's ids are those of the list of known automation. */
  readonly knownIds: boolean;
  /** What somebody says better; null for nothing. */
  readonly corrected: { readonly authorship: 'human' | 'assisted' | 'agent'; readonly tool: string | null } | null;
}

export interface AuthorshipFacts {
  readonly authorship: Authorship;
  /** The tools that took part, the surest first, then by name. */
  readonly agents: readonly string[];
  /** Of the surest trace; null without one. */
  readonly confidence: Confidence | null;
  readonly evidence: readonly Evidence[];
}

/** The rules from texts and accounts to how sure they are. */
const confidenceOf: Readonly<Record<AgentRule, Confidence>> = {
  1: 'account',
  2: 'commit',
  3: 'commit',
  4: 'commit',
  5: 'said',
  6: 'branch',
  7: 'said',
};

const knownLabels: ReadonlyMap<string, string> = new Map([
  ['claude-code-assisted', 'claude'],
  ['copilot', 'copilot'],
]);
const branchTools = ['copilot', 'codex', 'claude', 'cursor', 'devin', 'jules', 'gemini', 'cline', 'aider'];

/** Pieces of evidence that are kept: an agent leaves the same trace in every commit. */
const MOST_EVIDENCE = 20;

/** Who or what wrote a pull request (docs/server.md#who-wrote-a-pull-request). What somebody says better stands before the rules, the evidence stays. */
export function authorshipOf(input: AuthorshipInput): AuthorshipFacts {
  const evidence = evidenceOf(input);
  const { corrected } = input;
  const authorship = corrected?.authorship ?? foundAuthorship(input.author, evidence.length > 0);
  const found = [...new Set(evidence.map(({ tool }) => tool))];
  const said = corrected?.tool == null ? [] : [corrected.tool];
  return {
    authorship,
    agents: authorship === 'human' ? [] : [...new Set([...said, ...found])],
    confidence: evidence[0]?.confidence ?? null,
    evidence: evidence.slice(0, MOST_EVIDENCE),
  };
}

function foundAuthorship(author: PersonRef | null, isTraced: boolean): Authorship {
  if (author === null) return 'ghost';
  return author.kind === 'human' && isTraced ? 'assisted' : author.kind;
}

/** Each trace once, the surest first, then by tool, rule and text. */
function evidenceOf(input: AuthorshipInput): Evidence[] {
  const all = [
    ...ofAccount(input),
    ...ofCommits(input),
    ...ofLabels(input),
    ...ofBranch(input),
    ...ofDescription(input),
  ];
  const once = new Map<string, Evidence>();
  for (const one of all) {
    const key = `${one.rule} ${one.tool} ${one.text}`;
    if (!once.has(key)) once.set(key, one);
  }
  const rank = ({ confidence }: Evidence) => confidences.indexOf(confidence);
  return [...once.values()].sort(
    (a, b) => rank(a) - rank(b) || compare(a.tool, b.tool) || a.rule - b.rule || compare(a.text, b.text),
  );
}

function ofAccount({ author, knownIds }: AuthorshipInput): Evidence[] {
  if (author?.kind !== 'agent') return [];
  return [evidence(1, agentOf(author, knownIds).tool, `Opened by ${author.login}`, null)];
}

function ofCommits({ commits, knownIds }: AuthorshipInput): Evidence[] {
  return commits.flatMap(({ sha, author, marks }) => {
    const found = marks.map(({ rule, tool, text }) => evidence(rule, tool, text, sha));
    if (author?.kind !== 'agent') return found;
    const { tool, does } = agentOf(author, knownIds);
    return does === 'reviews' ? found : [...found, evidence(2, tool, `Commit by ${author.login}`, sha)];
  });
}

/** Whether a commit carries the trace of an agent; who only reviews writes none. */
export function isAgentsCommit(
  { author, marks, byAgent }: Pick<CommitRecord, 'author' | 'marks' | 'byAgent'>,
  knownIds: boolean,
): boolean {
  if (byAgent || marks.length > 0) return true;
  return author?.kind === 'agent' && agentOf(author, knownIds).does !== 'reviews';
}

function ofLabels({ labels, namedLabels }: AuthorshipInput): Evidence[] {
  const named = new Map(namedLabels.map(({ label, tool }) => [label.toLowerCase(), tool]));
  return labels.flatMap((label) => {
    const tool = named.get(label.toLowerCase()) ?? knownLabels.get(label.toLowerCase());
    return tool === undefined ? [] : [evidence(5, tool, `Label ${label}`, label)];
  });
}

/** Not where the prefix is how the author is called: `devin/…` of somebody called Devin. */
function ofBranch({ author, headRef }: AuthorshipInput): Evidence[] {
  const prefix = headRef.slice(0, Math.max(0, headRef.indexOf('/'))).toLowerCase();
  if (!branchTools.includes(prefix) || (author !== null && toolsInNames(author).includes(prefix))) return [];
  return [evidence(6, prefix, `Branch ${prefix}/`, headRef)];
}

/** The tools that an account's login or display name has as a word: of its branches they say nothing. */
export function toolsInNames({ login, displayName }: Pick<PersonRef, 'login' | 'displayName'>): string[] {
  const words = [login, displayName ?? ''].flatMap((name) => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return branchTools.filter((tool) => words.includes(tool));
}

function ofDescription({ descriptionMarks }: AuthorshipInput): Evidence[] {
  return descriptionMarks.map(({ rule, tool, text }) => evidence(rule, tool, text, null));
}

function evidence(rule: AgentRule, tool: string, text: string, source: string | null): Evidence {
  return { rule, tool, confidence: confidenceOf[rule], text, source };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
