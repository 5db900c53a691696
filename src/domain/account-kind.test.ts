import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aPerson } from '../../test/support/builders.ts';
import { accountKind, agentOf, type HostAccount, isBotGitAuthor } from './account-kind.ts';
import { knownBots } from './known-automation.ts';

const REFERENCE = '../shared/reference/known-automation-accounts.json';
interface Listed {
  login: string;
  databaseId: number | null;
  kind: string;
  alsoSeenAs?: string[];
}
const listed: Listed[] | null = existsSync(REFERENCE) ? JSON.parse(readFileSync(REFERENCE, 'utf8')) : null;
if (listed === null) console.warn(`SKIPPED: the reference of known automation, because ${REFERENCE} is not there.`);

const account = (type: HostAccount['type'], login: string, hostId: number | null = null) => ({ type, login, hostId });

describe('the kind of an account', () => {
  it.each([
    ['a deleted account', null, 'ghost'],
    ['the host’s ghost', account('user', 'ghost'), 'ghost'],
    ['a person', account('user', 'octavia'), 'human'],
    ['a person whose name is also an agent’s', account('user', 'claude', 81847), 'human'],
    ['a person named like a bot’s app', account('user', 'dependabot'), 'human'],
    ['a person’s placeholder after an import', account('mannequin', 'old-login'), 'human'],
    ['a mannequin named like automation', account('mannequin', 'Copilot'), 'human'],
    ['an unknown bot', account('bot', 'some-app'), 'bot'],
    ['a listed bot, as GraphQL spells it', account('bot', 'dependabot'), 'bot'],
    ['a listed automation that is no AI', account('bot', 'sentry[bot]'), 'bot'],
    ['an AI reviewer, as REST spells it', account('bot', 'coderabbitai[bot]'), 'agent'],
    ['an AI reviewer, as GraphQL spells it', account('bot', 'CodeRabbitAI'), 'agent'],
    ['an AI reviewer known by its id under a new login', account('bot', 'renamed-app', 136622811), 'agent'],
    ['the Copilot reviewer under its short login', account('bot', 'Copilot', 175728472), 'agent'],
    ['Copilot typed as a user', account('user', 'copilot'), 'agent'],
    ['the Cursor agent typed as a user', account('user', 'cursoragent'), 'agent'],
    ['a bot typed as a user', account('user', 'DrahtBot'), 'bot'],
    ['another one', account('user', 'golangcibot'), 'bot'],
    ['and another one', account('user', 'claassistant'), 'bot'],
  ])('%s', (_who, subject, kind) => {
    expect(accountKind(subject)).toBe(kind);
  });

  it.skipIf(listed === null)(
    'is what the reference of known automation says, however the host spells the login',
    () => {
      for (const { login, databaseId, kind, alsoSeenAs = [] } of listed ?? []) {
        const expected = kind === 'automation' ? 'bot' : 'agent';
        for (const spelling of [login, login.replace('[bot]', ''), login.toUpperCase(), ...alsoSeenAs]) {
          expect(accountKind(account('bot', spelling, databaseId)), spelling).toBe(expected);
          expect(accountKind(account('bot', spelling)), `${spelling} without an id`).toBe(expected);
        }
      }
      expect(listed?.length).toBe(knownBots.length);
    },
  );

  it('knows every listed id once', () => {
    const ids = knownBots.map(({ hostId }) => hostId).filter((id) => id !== null);

    expect(new Set(ids).size).toBe(ids.length);
    expect(knownBots.length).toBe(49);
  });
});

describe('the tool of an agent', () => {
  const renamed = aPerson('rabbit-review[bot]', { id: '136622811', kind: 'agent' });

  it.each([
    ['is what the list calls it', aPerson('claude[bot]', { id: '209825114' }), true, 'claude', 'both'],
    ['else its usual login', aPerson('CodeRabbitAI[bot]', { id: '136622811' }), true, 'coderabbitai', 'reviews'],
    ['also after a rename', renamed, true, 'coderabbitai', 'reviews'],
    ['which nobody knows of where ids are others', renamed, false, 'rabbit-review', null],
    [
      'and under another login of the list',
      aPerson('qodo-merge-pro-for-open-source[bot]', { id: '12' }),
      false,
      'qodo-merge-pro',
      'reviews',
    ],
    [
      'which is one of all accounts of a product',
      aPerson('qodo-merge[bot]', { id: '185363710' }),
      true,
      'qodo-merge-pro',
      'reviews',
    ],
    ['of a user', aPerson('CursorAgent', { id: '13' }), true, 'cursor', 'writes'],
    ['of one that only the team knows is its login', aPerson('House-Bot[bot]', { id: '14' }), true, 'house-bot', null],
  ] as const)('%s', (_what, account, knownIds, tool, does) => {
    expect(agentOf(account, knownIds)).toEqual({ tool, does });
  });
});

describe('a git author', () => {
  it.each([
    ['dependabot[bot]', 'support@example.com', true],
    ['Dependabot', '49699333+dependabot[bot]@users.noreply.github.com', true],
    ['Ada', 'ada@example.com', false],
    ['Ada [bot] Lovelace', 'ada@bot.example.com', false],
    ['Ada', 'ada@example[bot]', false],
    [null, null, false],
  ])('%s <%s> is a bot: %s', (name, email, expected) => {
    expect(isBotGitAuthor(name, email)).toBe(expected);
  });
});
