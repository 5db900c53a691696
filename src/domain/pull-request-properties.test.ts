import { describe, expect, it } from 'vitest';
import { hasProperties, type WantedProperties, type WithProperties } from './pull-request-properties.ts';

const plain: WithProperties = { draft: false, author_kind: 'human', by_agent: false };
const pulls = {
  person: plain,
  draft: { ...plain, draft: true },
  bot: { ...plain, author_kind: 'bot' },
  agent: { ...plain, author_kind: 'agent', by_agent: true },
  'agent under a person’s account': { ...plain, by_agent: true },
  'bot’s draft': { ...plain, author_kind: 'bot', draft: true },
  ghost: { ...plain, author_kind: 'ghost' },
} as const satisfies Record<string, WithProperties>;
const unfiltered: WantedProperties = { drafts: undefined, bots: undefined, agents: undefined };
const all = Object.keys(pulls);
const without = (...gone: string[]) => all.filter((name) => !gone.includes(name));

describe('a list of pull requests', () => {
  it.each<[string, Partial<WantedProperties>, string[]]>([
    ['nothing wanted', {}, all],
    ['without drafts', { drafts: 'hide' }, without('draft', 'bot’s draft')],
    ['drafts only', { drafts: 'only' }, ['draft', 'bot’s draft']],
    ['without bots', { bots: 'hide' }, without('bot', 'bot’s draft')],
    ['bots only', { bots: 'only' }, ['bot', 'bot’s draft']],
    ['without agents', { agents: 'hide' }, without('agent', 'agent under a person’s account')],
    ['agents only', { agents: 'only' }, ['agent', 'agent under a person’s account']],
    ['bots and agents only', { bots: 'only', agents: 'only' }, without('person', 'draft', 'ghost')],
    ['agents, no bots', { bots: 'hide', agents: 'only' }, ['agent', 'agent under a person’s account']],
    ['bots, no drafts', { drafts: 'hide', bots: 'only' }, ['bot']],
    ['people’s finished work', { drafts: 'hide', bots: 'hide', agents: 'hide' }, ['person', 'ghost']],
  ])('%s', (_, wanted, left) => {
    const shown = Object.entries(pulls).filter(([, pull]) => hasProperties(pull, { ...unfiltered, ...wanted }));

    expect(shown.map(([name]) => name)).toEqual(left);
  });
});
