/*
 * Preloaded into a server (`--import`): its clock stands at `MERGELIGHT_BENCH_NOW`, the end of a filled history, so that the last 30 days hold
 * something whenever a benchmark runs, and the same each time that they are asked for.
 */
const RealDate = Date;
const now = RealDate.parse(process.env.MERGELIGHT_BENCH_NOW ?? '');

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: unknown[], made) =>
    Reflect.construct(target, given.length === 0 ? [now] : given, made) as Date,
  get: (target, name) => (name === 'now' ? () => now : Reflect.get(target, name)),
});
