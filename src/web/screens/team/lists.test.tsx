import { expect, it } from 'vitest';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { AskedOfTheTeam } from './lists.tsx';
import type { TeamViewAnswer } from './view-failed.tsx';

it('says of a bot that asks the team that it is one', async () => {
  const request = {
    ...{ repo_owner: 'acme', repo_name: 'web', pr_number: 12, title: 'Raise a version', team: 'acme/core' },
    ...{ author: 'dependabot[bot]', author_display_name: null, author_avatar_url: null, author_kind: 'bot' },
    ...{ lines_changed: 3, since: '2026-11-16T13:03:00Z', waited_hours: 20 },
  };
  const view = { data: { requests: { total: 1, items: [request] } }, error: null } as unknown as TeamViewAnswer;
  const html = await drawn(<AskedOfTheTeam view={view} id={7} />);

  expect(html.replace(/<[^>]*>/g, ' ')).toMatch(/dependabot +Bot/);
});
