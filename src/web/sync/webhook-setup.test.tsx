import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { AddedRepository, ConnectedRepository } from '#contract/repositories.ts';
import { drawn } from '../../../test/e2e/support/drawn.ts';
import { askConnectedRepositories } from '../api/questions.ts';
import { WebhookSetup } from './webhook-setup.tsx';

const repository: AddedRepository = {
  ...{ id: 1, owner: 'acme', name: 'web', webhook_by: 'create' },
  ...{ webhook_url: 'https://mergelight.example/webhooks/github/key', webhook_secret: 'hush' },
};

/** The set-up of a webhook of which deliveries have come. */
async function setupWith(webhook_message: string | null): Promise<string> {
  const queries = new QueryClient();
  const listed = { id: 1, webhook_active: true, webhook_message } as ConnectedRepository;
  queries.setQueryData(askConnectedRepositories().queryKey, [listed]);
  return await drawn(<WebhookSetup repository={repository} />, queries);
}

it('says that deliveries are refused instead of that they arrive, and lets the webhook be created again', async () => {
  const refusal = 'Deliveries are refused: give GitHub the new secret';

  const [refused, arriving] = [await setupWith(refusal), await setupWith(null)];

  expect(refused).toContain(refusal);
  expect(refused).not.toContain('Deliveries arrive');
  expect(arriving).toContain('Deliveries arrive');
  for (const html of [refused, arriving])
    expect(html).toMatch(/<button(?![^>]* disabled)[^>]*>(?:(?!<\/button>).)*Create it for me/);
});
