/** All that a sync needs beside its state: loaded with the first one. */
export { outcomeOf, retrySync, runSync, takeUp, underWay, unfinishedOf } from './run-sync.ts';
export { syncCalls } from './sync-calls.ts';
