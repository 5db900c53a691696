import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { AgentSettings } from '#contract/accounts.ts';
import { defaultHealthSettings } from '#domain/signals.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { AgentLabels } from './agent-labels.tsx';
import { askAgentSettings, askHealthSettings } from './questions.ts';
import { SettingsParts } from './settings-parts.tsx';
import { Thresholds } from './thresholds.tsx';

/** The parts that the list leads to which stand beside it, as people who do not administer the server see them. */
async function ledTo(labels: AgentSettings['labels']): Promise<string[]> {
  const queries = new QueryClient();
  queries.setQueryData([...askAgentSettings().queryKey], { labels });
  queries.setQueryData([...askHealthSettings().queryKey], { ...defaultHealthSettings, counting: false });
  const page = (
    <SettingsParts current={null}>
      <AgentLabels />
      <Thresholds />
    </SettingsParts>
  );
  const html = await drawn(page, queries);
  const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
  return ids.filter((id) => html.includes(`href="/settings#${id}"`));
}

it('the list leads to the thresholds, and to the labels of AI tools where they are shown', async () => {
  expect(await ledTo([{ label: 'by-claude', tool: 'claude' }])).toEqual(['agent-labels', 'thresholds']);
  expect(await ledTo([])).toEqual(['thresholds']);
});
