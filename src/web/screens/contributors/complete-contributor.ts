import type { Contributor } from '#contract/contributors.ts';

/** A contributor of whom every number is known: one that an answer lacks counts 0 (docs/product.md#contributors). */
export function completeContributor(answered: Contributor): Contributor {
  const of: Partial<Contributor> = answered;
  return {
    ...answered,
    total_prs_opened: of.total_prs_opened ?? 0,
    total_prs_merged: of.total_prs_merged ?? 0,
    current_open_prs: of.current_open_prs ?? 0,
    repositories_count: of.repositories_count ?? 0,
  };
}
