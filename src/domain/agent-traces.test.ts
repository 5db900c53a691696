import { describe, expect, it } from 'vitest';
import { agentTraceOf, agentTraceOfBranch, agentTraceOfCommit } from './agent-traces.ts';

const commit = (
  message: string,
  authorName: string | null = 'Ada',
  authorEmail: string | null = 'ada@example.com',
) => ({
  message,
  authorName,
  authorEmail,
});

describe('the trace of a coding agent in a commit', () => {
  it.each([
    ['Fix\n\nCo-Authored-By: Claude Opus <noreply@anthropic.com>', 'Claude'],
    ['Fix\n\nGenerated with [Claude Code](https://claude.com/claude-code)', 'Claude'],
    ['Fix\n\n🤖 Generated with [Claude Code](https://claude.ai/code)', 'Claude'],
    ['Fix\n\nCo-authored-by: Cursor <cursoragent@cursor.com>', 'Cursor'],
    ['Fix\n\nCo-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>', 'Copilot'],
    ['Fix\n\nCo-authored-by: Copilot <copilot@github.com>', 'Copilot'],
    ['Fix\n\nCo-authored-by: aider (model) <aider@aider.chat>', 'aider'],
    ['Fix\n\nCo-authored-by: Ada <ada@example.com>\nCo-authored-by: Amp <amp@ampcode.com>', 'Amp'],
    ['aider: fix', 'aider'],
    ['Fix\n\nReplit-Commit-Author: Agent', 'Replit'],
    ['Fix\n\nAssisted-by: Gemini CLI', 'Gemini CLI'],
    ['Fix what Claude, Devin and Jules said', null],
    ['Fix\n\nCo-authored-by: Claude Monet <claude@example.com>', null],
    ['Fix\n\nCo-authored-by: Copilot <1234+someone@users.noreply.github.com>', null],
    ['Talk of Co-authored-by: Claude <noreply@anthropic.com> inside a line', null],
    ['Fix\n\nCo-authored-by: Someone <someone@notcursor.com>', null],
    ['Fix\n\nCo-authored-by: Someone <someone@openai.com>', null],
  ])('%j is %s', (message, tool) => {
    expect(agentTraceOfCommit(commit(message))).toBe(tool);
  });

  it('is also the git author’s address or suffix', () => {
    expect(agentTraceOfCommit(commit('Fix', 'Codex', 'Codex@OpenAI.com'))).toBe('Codex');
    expect(agentTraceOfCommit(commit('Fix', 'Ada (aider)'))).toBe('aider');
    expect(agentTraceOfCommit(commit('Fix', null, null))).toBeNull();
  });
});

describe('the trace of a coding agent in a pull request', () => {
  it.each([
    ['codex/fix-parser', 'Codex'],
    ['Devin/123', 'Devin'],
    ['claude', null],
    ['feature/claude/x', null],
    ['fix', null],
    ['devin2', null],
  ])('the branch %s is %s', (branch, tool) => {
    expect(agentTraceOfBranch(branch)).toBe(tool);
  });

  it('is the first one of its commits, else that of its branch', () => {
    const traced = { agentTrace: 'Amp' } as Parameters<typeof agentTraceOf>[0]['commits'][number];
    const plain = { agentTrace: null } as typeof traced;
    const later = { agentTrace: 'Claude' } as typeof traced;

    expect(agentTraceOf({ commits: [plain, traced, later], headRef: 'codex/x' })).toBe('Amp');
    expect(agentTraceOf({ commits: [plain], headRef: 'codex/x' })).toBe('Codex');
    expect(agentTraceOf({ commits: [], headRef: 'x' })).toBeNull();
  });
});
