import { WEEK } from '../../src/simulator/worlds/demo/calendar.ts';
import { demoWorld } from '../../src/simulator/worlds/demo/demo.ts';

/** The demo's company at one moment, made once for all files of a worker. */
export const NOW = Date.UTC(2026, 10, 21, 10);
export const SINCE = NOW - 78 * WEEK;
export const world = demoWorld({ since: SINCE, now: NOW });
