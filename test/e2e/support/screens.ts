import type { Page } from 'playwright';
import { titleShown } from './browser.ts';

/** A screen, or a state of one, as it comes up over the demo's company. */
export interface Screen {
  /** For the pictures. */
  readonly name: string;
  /** An address, or how to find one: the demo's pull requests have other numbers from day to day. */
  readonly path: string | ((page: Page) => Promise<string>);
  /** Before anybody has signed in. */
  readonly isPublic?: true;
  /** How many pixels of nothing its design has, where that is more than others have. */
  readonly room?: number;
  /** What `reach` opens floats over a screen that is here by itself: what is in view is all that there is to measure. */
  readonly isOver?: boolean;
  /** Brings the state about, once the screen itself is there. */
  readonly reach?: (page: Page) => Promise<unknown>;
}

/** The newest pull request in a state that people have reviewed. */
const reviewed = (state: 'open' | 'merged') => async (page: Page) => {
  const { prs } = (await (await page.request.get(`/api/prs?state=${state}&limit=100`)).json()) as {
    prs: { repo_owner: string; repo_name: string; pr_number: number; reviewers: string[] }[];
  };
  const one = prs.find(({ reviewers }) => reviewers.length > 1) ?? prs[0];
  return `/pr/${one?.repo_owner}/${one?.repo_name}/${one?.pr_number}`;
};
const [open, merged] = [reviewed('open'), reviewed('merged')];
type Find = (page: Page) => Promise<string>;
const tab = (of: Find, name: string) => async (page: Page) => `${await of(page)}?tab=${name}`;

/** The largest team. */
const someTeam = async (page: Page) => {
  const teams = (await (await page.request.get('/api/teams')).json()) as { id: number; members_now: number }[];
  return `/team/${teams.toSorted((a, b) => b.members_now - a.members_now)[0]?.id}`;
};

/** Every screen, and the states in which something opens over it. One line here puts a new one into all measurements and pictures. */
export const screens: readonly Screen[] = [
  { name: 'landing', path: '/', isPublic: true, room: 230 },
  { name: 'login', path: '/login', isPublic: true, room: 230 },
  { name: 'my-work', path: '/my-work' },
  { name: 'dashboard', path: '/dashboard' },
  { name: 'stuck-prs', path: '/stuck-prs' },
  { name: 'reviewer-stats', path: '/reviewer-stats' },
  { name: 'developer-stats', path: '/developer-stats' },
  { name: 'review-load', path: '/review-load' },
  { name: 'health', path: '/health' },
  { name: 'ai', path: '/ai' },
  { name: 'ai-authors', path: '/ai?tab=authors' },
  { name: 'teams', path: '/teams' },
  { name: 'team', path: someTeam },
  { name: 'health-open', path: '/health?open=merged_unapproved,big' },
  { name: 'health-list', path: '/health?list=big' },
  { name: 'contributors', path: '/contributors' },
  { name: 'contributor', path: '/contributor/carys-d' },
  { name: 'contributor-year', path: '/contributor/carys-d?period=1y' },
  { name: 'contributor-choose', path: '/contributor' },
  { name: 'prs', path: '/prs' },
  { name: 'prs-search', path: '/prs?q=retry' },
  { name: 'pr-open', path: open },
  { name: 'pr-timeline', path: merged },
  { name: 'pr-time', path: tab(merged, 'time') },
  { name: 'pr-reviews', path: tab(merged, 'reviews') },
  { name: 'pr-code', path: tab(merged, 'code') },
  { name: 'pr-collaboration', path: tab(merged, 'collaboration') },
  { name: 'pr-comparative', path: tab(merged, 'comparative') },
  { name: 'pr-open-reviews', path: tab(open, 'reviews') },
  { name: 'pr-open-collaboration', path: tab(open, 'collaboration') },
  { name: 'add-repository', path: '/add-repo' },
  { name: 'settings', path: '/settings' },
  { name: 'notifications', path: '/settings/notifications' },
  { name: 'tokens', path: '/settings/tokens' },
  { name: 'assistants', path: '/settings/assistants' },
  { name: 'not-found', path: '/nothing-here' },
  {
    name: 'palette',
    path: '/settings/assistants',
    isOver: true,
    reach: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('led');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  },
  {
    name: 'explain',
    path: '/dashboard',
    isOver: true,
    reach: async (page) => {
      await page.getByRole('button', { name: 'Time to merge', exact: true }).press('Enter');
      await page.getByRole('dialog').getByRole('button').first().waitFor();
    },
  },
  {
    name: 'sync-menu',
    path: '/settings/assistants',
    isOver: true,
    reach: async (page) => {
      await page.getByRole('button', { name: 'Sync' }).first().click();
      await page.getByRole('menu').waitFor();
    },
  },
];

/** Goes to a screen and waits until everything that it asks for is there. */
export async function goToScreen(page: Page, { path, isPublic, reach }: Screen): Promise<void> {
  await page.goto(typeof path === 'string' ? path : await path(page));
  if (isPublic === true) await page.getByRole('heading', { level: 1 }).waitFor();
  else await titleShown(page);
  await settled(page);
  if (reach === undefined) return;
  await reach(page);
  await settled(page);
}

async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForFunction(() => document.querySelector('[class*=skeleton i], [aria-busy=true]') === null);
}
