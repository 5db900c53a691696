import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { part } from './api/part.ts';
import { createQueryClient } from './api/query.ts';
import { askSignInOptions } from './api/questions.ts';
import { withRememberedTeam } from './filters/remembered-team.ts';
import { FailureScreen } from './kit/failure-screen.tsx';
import { shellQuestions } from './layout/questions.ts';
import { SignedInShell } from './layout/shell.tsx';
import { prefetchOnEnter } from './prefetch-on-enter.ts';
import { aiQuestions } from './screens/ai/questions.ts';
import { contributorQuestions, withRememberedPeriod } from './screens/contributor/questions.ts';
import { contributorsQuestions } from './screens/contributors/questions.ts';
import { dashboardQuestions } from './screens/dashboard/questions.ts';
import { developerQuestions } from './screens/developer-stats/questions.ts';
import { readLoginSearch } from './screens/login/search.ts';
import { myWorkQuestions } from './screens/my-work/questions.ts';
import { pullRequestQuestions } from './screens/pr/questions.ts';
import { pullRequestsQuestions } from './screens/prs/questions.ts';
import { readPullRequestsSearch } from './screens/prs/search.ts';
import { reviewLoadQuestions } from './screens/review-load/questions.ts';
import { reviewerQuestions } from './screens/reviewer-stats/questions.ts';
import { assistantQuestions } from './screens/settings/assistants/questions.ts';
import { notificationQuestions } from './screens/settings/notifications/questions.ts';
import { settingsQuestions } from './screens/settings/questions.ts';
import { tokenQuestions } from './screens/settings/tokens/questions.ts';
import { stuckQuestions } from './screens/stuck-prs/questions.ts';
import { teamQuestions } from './screens/team/questions.ts';
import { teamsQuestions } from './screens/teams/questions.ts';
import { viewQuestions } from './screens/v/questions.ts';
import { parseSearch, stringifySearch } from './url/url-state.ts';

/**
 * Every route of docs/product.md#screens-and-addresses. A screen is loaded when it is opened; what it keeps in the address is read
 * by `screens/<route>/search.ts`.
 */
const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: lazyRouteComponent(
    part(() => import('./layout/not-found.tsx')),
    'NotFoundScreen',
  ),
  errorComponent: FailureScreen,
});
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  loader: prefetchOnEnter(shellQuestions),
  component: () => <SignedInShell />,
});

const landing = createRoute({
  getParentRoute: () => root,
  path: '/',
  loader: prefetchOnEnter(() => [askSignInOptions()]),
  component: lazyRouteComponent(
    part(() => import('./screens/landing/landing.tsx')),
    'LandingScreen',
  ),
});
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  loader: prefetchOnEnter(() => [askSignInOptions()]),
  validateSearch: readLoginSearch,
  component: lazyRouteComponent(
    part(() => import('./screens/login/login.tsx')),
    'LoginScreen',
  ),
});
const dashboard = createRoute({
  getParentRoute: () => signedIn,
  path: '/dashboard',
  beforeLoad: withRememberedTeam,
  loader: prefetchOnEnter(dashboardQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/dashboard/dashboard.tsx')),
    'DashboardScreen',
  ),
});
const myWork = createRoute({
  getParentRoute: () => signedIn,
  path: '/my-work',
  beforeLoad: withRememberedTeam,
  loader: prefetchOnEnter(myWorkQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/my-work/my-work.tsx')),
    'MyWorkScreen',
  ),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  loader: prefetchOnEnter(settingsQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/settings/settings.tsx')),
    'SettingsScreen',
  ),
});
const notificationSettings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/notifications',
  loader: prefetchOnEnter(notificationQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/settings/notifications/notifications.tsx')),
    'NotificationsScreen',
  ),
});
const tokenSettings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/tokens',
  loader: prefetchOnEnter(tokenQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/settings/tokens/tokens.tsx')),
    'TokensScreen',
  ),
});
const assistantSettings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/assistants',
  loader: prefetchOnEnter(assistantQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/settings/assistants/assistants.tsx')),
    'AssistantsScreen',
  ),
});
const administration = createRoute({
  getParentRoute: () => signedIn,
  path: '/administration',
  component: lazyRouteComponent(
    part(() => import('./screens/administration/administration.tsx')),
    'AdministrationScreen',
  ),
});
const addRepository = createRoute({
  getParentRoute: () => signedIn,
  path: '/add-repo',
  component: lazyRouteComponent(
    part(() => import('./screens/add-repo/add-repo.tsx')),
    'AddRepositoryScreen',
  ),
});
const contributors = createRoute({
  getParentRoute: () => signedIn,
  path: '/contributors',
  beforeLoad: withRememberedTeam,
  loader: prefetchOnEnter(contributorsQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/contributors/contributors.tsx')),
    'ContributorsScreen',
  ),
});
const contributor = createRoute({
  getParentRoute: () => signedIn,
  path: '/contributor/{-$username}',
  beforeLoad: withRememberedPeriod,
  loader: prefetchOnEnter(contributorQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/contributor/contributor.tsx')),
    'ContributorScreen',
  ),
});
const stuckPullRequests = createRoute({
  getParentRoute: () => signedIn,
  path: '/stuck-prs',
  beforeLoad: withRememberedTeam,
  loader: prefetchOnEnter(stuckQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/stuck-prs/stuck-prs.tsx')),
    'StuckPullRequestsScreen',
  ),
});
const reviewerStats = createRoute({
  getParentRoute: () => signedIn,
  path: '/reviewer-stats',
  beforeLoad: withRememberedTeam,
  loader: prefetchOnEnter(reviewerQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/reviewer-stats/reviewer-stats.tsx')),
    'ReviewerStatsScreen',
  ),
});
const developerStats = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer-stats',
  beforeLoad: withRememberedTeam,
  loader: prefetchOnEnter(developerQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/developer-stats/developer-stats.tsx')),
    'DeveloperStatsScreen',
  ),
});
const reviewLoad = createRoute({
  getParentRoute: () => signedIn,
  path: '/review-load',
  beforeLoad: withRememberedTeam,
  loader: prefetchOnEnter(reviewLoadQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/review-load/review-load.tsx')),
    'ReviewLoadScreen',
  ),
});
const teams = createRoute({
  getParentRoute: () => signedIn,
  path: '/teams',
  loader: prefetchOnEnter(teamsQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/teams/teams.tsx')),
    'TeamsScreen',
  ),
});
const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/team/$id',
  loader: prefetchOnEnter(teamQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/team/team.tsx')),
    'TeamScreen',
  ),
});
const trends = createRoute({
  getParentRoute: () => signedIn,
  path: '/trends',
  beforeLoad: withRememberedTeam,
  component: lazyRouteComponent(
    part(() => import('./screens/trends/trends.tsx')),
    'TrendsScreen',
  ),
});
const health = createRoute({
  getParentRoute: () => signedIn,
  path: '/health',
  beforeLoad: withRememberedTeam,
  component: lazyRouteComponent(
    part(() => import('./screens/health/health.tsx')),
    'HealthScreen',
  ),
});
const ai = createRoute({
  getParentRoute: () => signedIn,
  path: '/ai',
  beforeLoad: withRememberedTeam,
  loader: prefetchOnEnter(aiQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/ai/ai.tsx')),
    'AiScreen',
  ),
});
const pullRequests = createRoute({
  getParentRoute: () => signedIn,
  path: '/prs',
  beforeLoad: withRememberedTeam,
  loader: prefetchOnEnter(pullRequestsQuestions),
  validateSearch: readPullRequestsSearch,
  component: lazyRouteComponent(
    part(() => import('./screens/prs/prs.tsx')),
    'PullRequestsScreen',
  ),
});
const pullRequest = createRoute({
  getParentRoute: () => signedIn,
  path: '/pr/$repoOwner/$repoName/$prNumber',
  loader: prefetchOnEnter(pullRequestQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/pr/pr.tsx')),
    'PullRequestScreen',
  ),
});
const keptView = createRoute({
  getParentRoute: () => signedIn,
  path: '/v/$slug',
  loader: prefetchOnEnter(viewQuestions),
  component: lazyRouteComponent(
    part(() => import('./screens/v/v.tsx')),
    'KeptViewScreen',
  ),
});

export const router = createRouter({
  routeTree: root.addChildren([
    landing,
    login,
    signedIn.addChildren([
      myWork,
      dashboard,
      settings,
      notificationSettings,
      tokenSettings,
      assistantSettings,
      administration,
      addRepository,
      contributors,
      contributor,
      stuckPullRequests,
      reviewerStats,
      developerStats,
      reviewLoad,
      teams,
      team,
      trends,
      health,
      ai,
      pullRequests,
      pullRequest,
      keptView,
    ]),
  ]),
  parseSearch,
  stringifySearch,
  context: { queries: createQueryClient() },
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
