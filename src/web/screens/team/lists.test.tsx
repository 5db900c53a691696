import { expect, it } from 'vitest';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { TeamOfPage } from '../../filters/choice-of-figures.ts';
import { AskedOfTheTeam, ReadyAndNobodyAsked } from './lists.tsx';
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

it('leads to the lists of what it counts: of the same repository, and what members reviewed', async () => {
  const view = { data: undefined, error: null } as unknown as TeamViewAnswer;
  const cards = (
    <TeamOfPage value={7}>
      <AskedOfTheTeam view={view} id={7} />
      <ReadyAndNobodyAsked view={view} />
    </TeamOfPage>
  );
  const led = async (address: string) => {
    const html = await drawn(cards, undefined, address);
    return [...html.matchAll(/href="([^"]*)"/g)].map(([, to]) => to!.replaceAll('&amp;', '&').replaceAll('%22', ''));
  };

  expect(await led('/')).toEqual(['/stuck-prs?asked=7', '/prs?state=open&team=7']);
  expect(await led('/?repository=3&team_as=reviewer&period=90d')).toEqual([
    '/stuck-prs?repository=3&asked=7',
    '/prs?state=open&repository=3&team=7&team_as=reviewer',
  ]);
});
