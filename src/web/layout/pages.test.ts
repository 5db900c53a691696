import { expect, it } from 'vitest';
import { viewPathProblem } from '#domain/view-path.ts';
import { canBeKept, pages } from './pages.ts';

it('offers to keep the address of pages alone for which the server takes it', () => {
  const paths = [
    ...pages.map(({ href }) => href),
    '/contributor',
    '/contributor/ada',
    '/team/7',
    '/team',
    '/pr/acme/web/1',
    '/administration',
  ];
  const offered = paths.filter(canBeKept);

  expect(offered).toEqual([
    '/dashboard',
    '/prs',
    '/contributors',
    '/teams',
    '/trends',
    '/health',
    '/ai',
    '/contributor/ada',
    '/team/7',
  ]);
  expect(offered.map(viewPathProblem)).toEqual(offered.map(() => null));
});
