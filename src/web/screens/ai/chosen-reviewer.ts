import type { AiReviewer } from '#contract/ai-reviewers.ts';
import { agentOf } from '#domain/account-kind.ts';

type Named = Pick<AiReviewer, 'reviewer' | 'tools'>;

/** How the address names a reviewer: by its tool, whichever of its accounts acted last. */
export function keyOfReviewer({ reviewer, tools }: Named): string {
  return tools[0] ?? reviewer;
}

/** The reviewer that the address names by its tool, or by any of its accounts as it did before; else the first. */
export function chosenReviewer<T extends Named>(reviewers: readonly T[], named: string | undefined): T | undefined {
  const tool = named === undefined ? undefined : agentOf({ id: '', login: named }, false).tool;
  return reviewers.find((one) => one.reviewer === named || keyOfReviewer(one) === tool) ?? reviewers[0];
}
