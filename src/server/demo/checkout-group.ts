import type { BodyOf } from '#contract/endpoint.ts';
import type { makeGroup } from '#contract/teams.ts';

/** A week, in milliseconds. */
const WEEK = 7 * 86_400_000;

/** In weeks of the demo's history: Gavin joins with his change of teams, half a year before the demo is first opened; Devi leaves after. */
const GAVIN_JOINS = 52;
const DEVI_LEAVES = 70;

/** The group that each visitor of the demo begins with: who works on the checkout, whatever their teams. `since`: when the demo's history begins. */
export function checkoutGroup(since: Date): BodyOf<typeof makeGroup> {
  const at = (week: number) => new Date(since.getTime() + week * WEEK).toISOString();
  return {
    name: 'Checkout',
    visibility: 'mine',
    teams: [],
    members: [
      'ilse-m',
      'paulina-k',
      { username: 'gavin-q', from: at(GAVIN_JOINS), to: null },
      { username: 'devi-r', from: null, to: at(DEVI_LEAVES) },
    ],
  };
}
