import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { FilterRepository } from '#contract/repositories.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { NoActivity, useIsUntouched } from './no-activity.tsx';
import { askPullRequests, type View } from './questions.ts';

const repository = { id: 3, full_name: 'acme/web', name: 'web' } as FilterRepository;
const view: View = { username: 'ada', period: '30d', repository, team: undefined, credit: undefined };

const shown = (of: View, display_name: string | null = 'Ada', username = 'ada') =>
  drawn(<NoActivity metrics={{ username, display_name }} view={of} repository={repository} outdated={false} />);

it('somebody who did nothing in a repository is offered all of them', async () => {
  const html = await shown(view);
  expect(html).toContain('>Ada has opened and reviewed no pull request in acme/web.<');
  expect(html).toContain('All repositories');
  expect(await shown(view, null, 'dependabot[bot]')).toContain('>dependabot has opened and reviewed');
});

it('with a team it is told of the time as a member alone, and the team can be dropped', async () => {
  const html = await shown({ ...view, team: 5 });
  expect(html).toContain('>Ada has opened and reviewed no pull request in acme/web as a member of the team.<');
  expect(html).toContain('All teams');
  expect(html).not.toContain('All repositories');
});

/** Whether a repository counts as untouched, by how many pull requests the list holds. */
async function isUntouched(of: View, last_active: string | null, listed = 0): Promise<string> {
  function Told() {
    return String(useIsUntouched(of, { last_active }));
  }
  const queries = new QueryClient();
  queries.setQueryData([...askPullRequests(of).queryKey], Array(listed).fill({}));
  return await drawn(<Told />, queries);
}

it('a repository is untouched only where nothing was ever counted, agents’ pull requests that they started included', async () => {
  const started: View = { ...view, credit: 'started' };
  expect(await isUntouched(view, null)).toBe('true');
  expect(await isUntouched(view, '2026-01-01T00:00:00Z')).toBe('false');
  expect(await isUntouched({ ...view, repository: null }, null)).toBe('false');
  expect(await isUntouched(started, null)).toBe('true');
  expect(await isUntouched(started, null, 2)).toBe('false');
});
