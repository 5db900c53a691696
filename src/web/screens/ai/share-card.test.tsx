import { expect, it } from 'vitest';
import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { drawn } from '../../../../test/e2e/support/drawn.ts';
import { ShareCard } from './share-card.tsx';

const answer = (...keys: readonly string[]): AiAuthorship => ({
  groups: keys.map((key) => ({ key }) as AiAuthorship['groups'][number]),
  series: keys.map((group) => ({ week: '2026-11-16', group, opened: 2, merged: 1 })),
  ...{ within_sizes: [], bots_with_trace: 0, credited: { n: 0, of: 0, by: {} as AiAuthorship['credited']['by'] } },
});

it('calls what has no known tool otherwise than what has no trace of an agent', async () => {
  const shown = async (by: 'group' | 'tool') => {
    const card = <ShareCard groups={answer('human', 'assisted')} tools={answer('claude', 'none')} since={undefined} />;
    const html = await drawn(card, undefined, `/?by=${by}`);
    return ['No trace of one', 'No tool known'].filter((name) => html.includes(name));
  };

  expect(await shown('group')).toEqual(['No trace of one']);
  expect(await shown('tool')).toEqual(['No tool known']);
});
