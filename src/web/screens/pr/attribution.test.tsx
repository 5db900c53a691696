import { expect, it } from 'vitest';
import type { PullRequestDetail } from '#contract/pull-requests.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { Correction } from './attribution.tsx';

const address = { repoOwner: 'octo-org', repoName: 'hello', prNumber: 1 };

it.each([
  ['bot', ['A bot*', 'A person', 'A person with an agent', 'An agent']],
  ['ghost', ['A deleted account*', 'A person', 'A person with an agent', 'An agent']],
  ['human', ['A person*', 'A person with an agent', 'An agent']],
] as const)('a correction begins with who wrote it: %s', async (authorship, choices) => {
  const detail = { authorship, agents: [], credited_to: null, corrected: { authorship: false, credit: false } };

  const html = await drawn(<Correction detail={detail as unknown as PullRequestDetail} address={address} />);

  const options = [...html.matchAll(/<option ([^>]*)>([^<]*)<\/option>/g)];
  expect(options.map(([, attributes, text]) => `${text}${/selected/.test(attributes!) ? '*' : ''}`)).toEqual(choices);
});
