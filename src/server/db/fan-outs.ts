/** By file of `src/server`, the bound and the reason of its statements that look beyond the repositories that they are given. */
export const fanOuts: Readonly<Record<string, { readonly bound: string; readonly why: string }>> = {};
