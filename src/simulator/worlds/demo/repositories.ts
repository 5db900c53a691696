import type { Account } from '../../history.ts';
import { CODERABBIT, COPILOT_REVIEWER, DEPENDABOT, DEPS_BOT, PATCHWISE } from './automation.ts';
import type { RepositoryName } from './people.ts';

/** How a repository lives. Shares are between 0 and 1, rates per week. */
export interface Culture {
  readonly id: number;
  readonly name: RepositoryName;
  readonly private: boolean;
  /** An archived repository has no pull requests after this week of the demo's history. */
  readonly endsInWeek: number | null;
  readonly defaultBranch: string;
  /** Pull requests by people. */
  readonly weekly: number;
  readonly firstNumber: number;
  /** Mean number of issues between two pull requests: they share the numbers. */
  readonly issuesBetween: number;
  /** Multiplies the time to reviews and merges. */
  readonly slowness: number;
  /** Of first reviews, how many ask for changes, and how many comment without approving. */
  readonly asksForChanges: number;
  readonly comments: number;
  /** How often a second person's approval is needed. */
  readonly secondReviewer: number;
  readonly forcePushes: number;
  /** A push dismisses an approval. */
  readonly dismissesStale: boolean;
  readonly team: { readonly slug: string; readonly asked: number };
  readonly agentReviewer: { readonly account: Account; readonly share: number } | null;
  readonly checks: readonly string[];
  /** A status reported beside the checks. */
  readonly statusContext: string | null;
  readonly dependencies: { readonly account: Account; readonly weekly: number };
  /** Pull requests opened by agents. */
  readonly agentWeekly: number;
  readonly releases: boolean;
}

const COMMON = {
  private: false,
  endsInWeek: null,
  defaultBranch: 'main',
  issuesBetween: 0.22,
  slowness: 1,
  asksForChanges: 0.004,
  comments: 0.08,
  secondReviewer: 0.07,
  forcePushes: 0.15,
  dismissesStale: false,
  statusContext: null,
  agentWeekly: 0,
  releases: false,
} as const;

/**
 * The eight repositories: a large and fast shop, a careful ledger, two for couriers (the web one private), the
 * infrastructure, the prices, small and slow public tools, and a quiet archived one.
 */
export const REPOSITORIES: readonly Culture[] = [
  {
    ...COMMON,
    id: 612_004_101,
    name: 'storefront',
    weekly: 21,
    firstNumber: 1_486,
    slowness: 0.8,
    team: { slug: 'web', asked: 0.2 },
    agentReviewer: { account: COPILOT_REVIEWER, share: 0.6 },
    checks: ['build', 'unit tests', 'browser tests'],
    statusContext: 'deploy-preview',
    dependencies: { account: DEPS_BOT, weekly: 2 },
    agentWeekly: 1.8,
    releases: true,
  },
  {
    ...COMMON,
    id: 612_004_102,
    name: 'ledger',
    weekly: 11.2,
    firstNumber: 1_092,
    slowness: 1.25,
    asksForChanges: 0.025,
    comments: 0.13,
    secondReviewer: 0.22,
    dismissesStale: true,
    team: { slug: 'payments', asked: 0.35 },
    agentReviewer: { account: PATCHWISE, share: 0.7 },
    checks: ['build and tests', 'migrations', 'balance proofs'],
    statusContext: 'ledger-ci',
    dependencies: { account: DEPS_BOT, weekly: 0.9 },
    agentWeekly: 1.2,
  },
  {
    ...COMMON,
    id: 612_004_103,
    name: 'courier',
    weekly: 8.3,
    firstNumber: 147,
    issuesBetween: 0.06,
    team: { slug: 'field', asked: 0.25 },
    agentReviewer: { account: COPILOT_REVIEWER, share: 0.5 },
    checks: ['android', 'ios', 'unit tests'],
    dependencies: { account: DEPS_BOT, weekly: 0.7 },
    agentWeekly: 0.7,
    releases: true,
  },
  {
    ...COMMON,
    id: 612_004_104,
    name: 'courier-web',
    private: true,
    weekly: 6,
    firstNumber: 712,
    team: { slug: 'field', asked: 0.15 },
    agentReviewer: { account: CODERABBIT, share: 0.75 },
    checks: ['build', 'tests'],
    statusContext: 'deploy-preview',
    dependencies: { account: DEPENDABOT, weekly: 0.8 },
    agentWeekly: 0.5,
  },
  {
    ...COMMON,
    id: 612_004_105,
    name: 'quayside',
    weekly: 6.2,
    firstNumber: 1_874,
    slowness: 0.9,
    secondReviewer: 0.1,
    forcePushes: 0.4,
    team: { slug: 'platform', asked: 0.3 },
    agentReviewer: null,
    checks: ['plan', 'policy', 'lint'],
    statusContext: 'drift',
    dependencies: { account: DEPS_BOT, weekly: 0.6 },
    agentWeekly: 0.4,
  },
  {
    ...COMMON,
    id: 612_004_106,
    name: 'pricing',
    weekly: 4.9,
    firstNumber: 388,
    asksForChanges: 0.015,
    comments: 0.12,
    team: { slug: 'pricing', asked: 0.2 },
    agentReviewer: { account: PATCHWISE, share: 0.4 },
    checks: ['build and tests', 'price replay'],
    dependencies: { account: DEPS_BOT, weekly: 0.4 },
    agentWeekly: 0.4,
  },
  {
    ...COMMON,
    id: 612_004_107,
    name: 'depot-tools',
    weekly: 1.9,
    firstNumber: 151,
    issuesBetween: 0.5,
    slowness: 3,
    comments: 0.18,
    forcePushes: 0.5,
    team: { slug: 'field', asked: 0 },
    agentReviewer: null,
    checks: ['test'],
    dependencies: { account: DEPENDABOT, weekly: 0.35 },
  },
  {
    ...COMMON,
    id: 612_004_108,
    name: 'label-printer',
    endsInWeek: 52,
    defaultBranch: 'master',
    weekly: 0.8,
    firstNumber: 233,
    slowness: 2,
    team: { slug: 'field', asked: 0 },
    agentReviewer: null,
    checks: ['test'],
    dependencies: { account: DEPENDABOT, weekly: 0.1 },
  },
];
