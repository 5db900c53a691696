import { expect, test } from 'vitest';
import type { AiReviewer } from '#contract/ai-reviewers.ts';
import { aiTools } from './ai-tools.ts';
import type { Calls } from './calls.ts';

const told = (value: number, n: number) => ({ value, n });
const comparedOf = (acted_on: number, noise: number, n: number): AiReviewer['control'] => ({
  ...{ acted_on: told(acted_on, n), noise: told(noise, n), silent: told(0.5, 40), talkative: told(0.05, 40) },
  ...{ findings_per_pr: { ...told(1.5, 40), p50: 1, p90: 4 }, findings_per_100_lines: told(2, 40) },
  fates: { changed: 0, resolved: 0, answered: 0, dismissed_by_hand: 0, ignored: 0 },
});
const reviewer: AiReviewer = {
  ...{ reviewer: 'coderabbitai[bot]', avatar_url: null, tools: ['coderabbitai'] },
  ...{ first_seen: '2026-01-01T00:00:00.000Z', last_seen: '2026-03-01T00:00:00.000Z' },
  ...comparedOf(0.25, 0.5, 60),
  ...{ coverage: told(0.8, 50), time_to_agent_review: { ...told(0.1, 40), p90: 0.2 }, before_human: told(0.9, 30) },
  ...{ on_automation: told(0.2, 40), thumbs: { up: 1, down: 2 }, resolution: null, lift: -0.25 },
  control: comparedOf(0.5, 0.125, 80),
};

async function ask(name: string, reviewers: readonly AiReviewer[]) {
  const calls = { repositoryId: async () => undefined, call: async () => reviewers } as unknown as Calls;
  const tool = aiTools.find((one) => one.name === name)!;
  const { text, answer } = await tool.ask(calls, tool.takes.parse({}));
  return { text, answer: tool.answers.parse(answer) };
}

test('an assistant is told what people come to beside each figure of an AI reviewer that is told of both', async () => {
  const { text, answer } = await ask('ai_reviewers', [reviewer]);
  const [row] = (answer as unknown as { items: Record<string, object>[] }).items;
  expect(row).toMatchObject({
    acted_on_percent: { value: 25, n: 60 },
    people_acted_on_percent: { value: 50, n: 80 },
    people_noise_percent: { value: 12.5, n: 80 },
    people_silent_percent: { value: 50, n: 40 },
    people_talkative_percent: { value: 5, n: 40 },
    people_findings_per_pull_request: { value: 1.5, n: 40 },
  });
  const compared = Object.keys(row!).filter((key) =>
    ['acted_on', 'noise', 'silent', 'talkative', 'findings'].some((figure) => key.startsWith(figure)),
  );
  expect(compared.length).toBe(5);
  for (const key of compared) expect(row).toHaveProperty(`people_${key}`);
  expect(text).toBe(
    '1 AI reviewer, 60 findings: 25 % were acted on, 50 % are noise.\nPeople beside them, 80 findings: 50 % were acted on, at most 12.5 % are noise.',
  );
});

test('an assistant is told of no people where no AI reviewer acted', async () => {
  expect((await ask('ai_reviewers', [])).text).toBe('0 AI reviewers, 0 findings.');
});
