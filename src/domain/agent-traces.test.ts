import { describe, expect, it } from 'vitest';
import { marksOfCommit, marksOfDescription, wordsOf } from './agent-traces.ts';

const HOST = 'github.com';
const commit = (
  message: string,
  authorName: string | null = 'Ada',
  authorEmail: string | null = 'ada@example.com',
) => ({ message, authorName, authorEmail });
const toolsOf = (...given: Parameters<typeof commit>) =>
  marksOfCommit(commit(...given), HOST).marks.map(({ rule, tool }) => [rule, tool]);

describe('the trace of a coding agent in a commit', () => {
  it.each([
    ['Fix\n\nCo-Authored-By: Claude Opus <noreply@anthropic.com>', [[3, 'claude']]],
    ['Fix\n\nco-authored-by: Cursor <CursorAgent@cursor.com>', [[3, 'cursor']]],
    ['Fix\r\n\r\nCo-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>\r\n', [[3, 'copilot']]],
    ['Fix\n\nCo-authored-by: x <158243242+devin-ai-integration[bot]@users.noreply.github.com>', [[3, 'devin']]],
    ['Fix\n\nCo-authored-by: x <158243242+devin-ai-integration@users.noreply.github.com>', [[3, 'devin']]],
    ['Fix\n\nCo-authored-by: Copilot <copilot@github.com>', [[3, 'copilot']]],
    ['Fix\n\nCo-authored-by: aider (model) <aider@aider.chat>', [[3, 'aider']]],
    ['Fix\n\nCo-authored-by: Ada <ada@example.com>\nCo-authored-by: Amp <amp@ampcode.com>', [[3, 'amp']]],
    ['Fix\n\nGenerated with [Claude Code](https://claude.com/claude-code)', [[4, 'claude']]],
    ['Fix\n\n🤖 Generated with [Claude Code](https://claude.ai/code)', [[4, 'claude']]],
    ['aider: fix', [[4, 'aider']]],
    ['Fix\n\nReplit-Commit-Author: Agent', [[4, 'replit']]],
    ['Fix\n\nMade-with: Cursor', [[4, 'cursor']]],
    ['Fix\n\nAssisted-by: Gemini CLI', [[4, 'gemini']]],
    ['Fix\n\nAssisted-by: GitHub Copilot (agent)', [[4, 'copilot']]],
    ['Fix\n\nAssisted-by: Claudette', []],
    ['Fix\n\nAssisted-by: my colleague Claude', []],
    ['Fix what Claude, Devin and Jules said', []],
    ['Fix\n\nCo-authored-by: Claude Monet <claude@example.com>', []],
    ['Fix\n\nCo-authored-by: Copilot <1234+someone@users.noreply.github.com>', []],
    ['Fix\n\nCo-authored-by: x <175728472+copilot-pull-request-reviewer[bot]@users.noreply.github.com>', []],
    ['Talk of Co-authored-by: Claude <noreply@anthropic.com> inside a line', []],
    ['Fix\n\nCo-authored-by: Someone <someone@cursor.com>', []],
    ['Fix\n\nCo-authored-by: Someone <someone@openai.com>', []],
    ['Apply suggestions from code review\n\nCo-authored-by: Copilot <copilot@github.com>', []],
    ['Apply suggestion from code review\n\nCo-authored-by: Copilot <copilot@github.com>', []],
    ['Update src/main.ts\n\nCo-authored-by: Copilot <copilot@github.com>', []],
    ['Update src/main.ts\n\nFaster.\n\nCo-authored-by: Copilot <copilot@github.com>', [[3, 'copilot']]],
  ])('%j', (message, expected) => {
    expect(toolsOf(message)).toEqual(expected);
  });

  it('is also the git author’s address or suffix', () => {
    expect(toolsOf('Fix', 'Codex', 'Codex@OpenAI.com')).toEqual([[2, 'codex']]);
    expect(toolsOf('Fix', 'Ada (aider)')).toEqual([[4, 'aider']]);
    expect(toolsOf('Fix', null, null)).toEqual([]);
  });

  it.each([
    ['Update docs/How to.md', ['docs/How to.md'], []],
    ['Update docs/How to.md', ['docs/How to.txt'], [[3, 'copilot']]],
    ['Update actions/checkout to v4.2', ['.github/workflows/main.yml'], [[3, 'copilot']]],
    ['Update Makefile', ['Makefile'], []],
    ['Update src/renamed.ts', ['src/main.ts'], []],
    ['Update .gitignore', [], []],
    ['Update dependencies', ['package.json'], [[3, 'copilot']]],
    ['Update dependencies.', ['package.json'], [[3, 'copilot']]],
    ['Update Makefile', [], [[3, 'copilot']]],
  ])(
    'is none in a suggestion that was taken over, by a path or a file of the pull request: %s in %j',
    (headline, paths, expected) => {
      const suggestion = commit(`${headline}\n\nCo-authored-by: Copilot <copilot@github.com>`);

      const { marks } = marksOfCommit(suggestion, HOST, new Set(paths));

      expect(marks.map(({ rule, tool }) => [rule, tool])).toEqual(expected);
    },
  );

  it('names nothing of the text around it', () => {
    const { marks } = marksOfCommit(commit('Secret plan\n\nCo-authored-by: Ada Secret <noreply@anthropic.com>'), HOST);

    expect(marks).toEqual([{ rule: 3, tool: 'claude', text: 'Co-authored-by: noreply@anthropic.com' }]);
  });
});

describe('co-authors', () => {
  const coAuthors = (message: string, host = HOST) => marksOfCommit(commit(message), host).coAuthors;

  it.each([
    ['7+Mona@users.noreply.github.com', HOST, [{ id: '7', login: 'mona' }]],
    ['mona@users.noreply.github.com', HOST, [{ id: null, login: 'mona' }]],
    ['7+mona@users.noreply.github.com', 'ghe.example.org', [{ id: null, login: 'mona' }]],
    ['7+mona@users.noreply.ghe.example.org', 'ghe.example.org', [{ id: '7', login: 'mona' }]],
    ['7+Mona_acme@users.noreply.github.com', HOST, [{ id: '7', login: 'mona_acme' }]],
    ['mona_acme@users.noreply.github.com', HOST, [{ id: null, login: 'mona_acme' }]],
    ['mona@example.org', HOST, []],
    ['198982749+Copilot@users.noreply.github.com', HOST, []],
  ])('of the address %s on %s', (address, host, expected) => {
    expect(coAuthors(`Fix\n\nCo-authored-by: Mona <${address}>`, host)).toEqual(expected);
  });

  it('are each one once, in their order, and no more than somebody would name', () => {
    const trailer = (id: number) => `Co-authored-by: x <${id}+u${id}@users.noreply.github.com>`;
    const message = [
      'Fix',
      '',
      trailer(2),
      trailer(1),
      trailer(2),
      ...Array.from({ length: 50 }, (_, i) => trailer(i + 3)),
    ];

    const named = coAuthors(message.join('\n'));

    expect(named.slice(0, 3).map(({ id }) => id)).toEqual(['2', '1', '3']);
    expect(named).toHaveLength(20);
  });
});

describe('what a commit reverts', () => {
  it.each([
    [
      'Revert "x"\n\nThis reverts commit 0123456789abcdef0123456789abcdef01234567.',
      '0123456789abcdef0123456789abcdef01234567',
    ],
    ['Revert "x"\n\nThis reverts commit 0123456.', '0123456'],
    ['Revert "x"\n\nThis reverts commit 012345.', null],
    ['Revert "x"', null],
  ])('%j', (message, expected) => {
    expect(marksOfCommit(commit(message), HOST).revertsSha).toBe(expected);
  });
});

describe('what a description says', () => {
  it.each([
    ['Fixes it.\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)', ['claude']],
    ['Link to Devin run: https://app.devin.ai/sessions/abc', ['devin']],
    ['- Link to Devin session: https://app.devin.ai/sessions/abc', ['devin']],
    ['> Generated with [Claude Code](https://claude.com/claude-code)', []],
    ['```\nGenerated with [Claude Code](https://claude.com/claude-code)\n```', []],
    ['I never use what is generated with [Claude Code](https://claude.com/claude-code)', []],
    ['```npm test``` passes.\n\nGenerated with [Claude Code](https://claude.com/claude-code)', ['claude']],
    ['~~~ `sh` ~~~\nGenerated with [Claude Code](https://claude.com/claude-code)\n~~~', []],
    ['````\n```js\n```\nGenerated with [Claude Code](https://claude.com/claude-code)\n````', []],
    ['```\n```js\nGenerated with [Claude Code](https://claude.com/claude-code)\n```', []],
    ['```\nnpm test\n````  \nGenerated with [Claude Code](https://claude.com/claude-code)', ['claude']],
    ['```\n~~~\nGenerated with [Claude Code](https://claude.com/claude-code)\n```', []],
  ])('of agents: %j', (body, expected) => {
    expect(marksOfDescription(body).marks.map(({ tool }) => tool)).toEqual(expected);
  });

  it.each([
    ['Requested by: @mona', ['mona']],
    ['**Requested by:** Mona Lisa (@mona-l)', ['mona-l']],
    ['requested by: @mona.', ['mona']],
    ['Requested by: @mona\nRequested by: @hubot\nRequested by: @Mona', ['mona', 'hubot']],
    ['> Requested by: @mona', []],
    ['```\nRequested by: @mona\n```', []],
    ['This was requested by: @mona', []],
    ['Requested by: mona', []],
  ])('of who requested it: %j', (body, expected) => {
    expect(marksOfDescription(body).requestedBy).toEqual(expected);
  });

  it.each([
    ['Reverts acme/shop#12', [{ repository: 'acme/shop', number: 12 }]],
    [
      'Reverts #12\nReverts #13',
      [
        { repository: null, number: 12 },
        { repository: null, number: 13 },
      ],
    ],
    ['This reverts #12', []],
    ['Reverts #12 partly', []],
  ])('of what it reverts: %j', (body, expected) => {
    expect(marksOfDescription(body).reverts).toEqual(expected);
  });
});

describe('words', () => {
  it.each([
    ['', 0],
    ['👍', 0],
    ['LGTM!', 1],
    ['looks  good\nto me', 4],
    ['— 好 —', 1],
  ])('of %j are %i', (text, expected) => {
    expect(wordsOf(text)).toBe(expected);
  });
});

describe('a hostile text', () => {
  const long = 64_000;
  it.each([
    'Co-authored-by: '.padEnd(long, '<'),
    `Co-authored-by: ${'<a>'.repeat(long / 3)}`,
    'Requested by: '.padEnd(long, '(@a'),
    '\n'.repeat(long),
    '```\n'.repeat(long / 4),
    ' '.repeat(long),
    'This reverts commit '.repeat(long / 20),
    '('.repeat(long),
    'Reverts '.repeat(long / 8),
  ])('is looked through in no time', (text) => {
    const began = performance.now();
    marksOfCommit(commit(text, text, text), HOST);
    marksOfDescription(text);
    wordsOf(text);

    expect(performance.now() - began).toBeLessThan(5000);
  });
});
