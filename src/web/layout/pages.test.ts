import { expect, it } from 'vitest';
import { viewPathProblem } from '#domain/view-path.ts';
import { canBeKept, headingAt, pages } from './pages.ts';

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

it('tells the heading of a page by its path, whatever its query and however it is written', () => {
  expect(headingAt('/dashboard?period=7d')).toBe('Engineering Metrics Dashboard');
  expect(headingAt('/contributor/dependabot%5Bbot%5D?repository=2')).toBe('Contributor: dependabot');
  expect(headingAt('/contributor?a=/b')).toBe('Contributor View');
  expect(headingAt('/contributor/%zz')).toBe('Contributor: %zz');
  expect(headingAt('/team/7')).toBeNull();
});
