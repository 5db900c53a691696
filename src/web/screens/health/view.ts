import type { Health } from '#contract/health.ts';
import type { HealthSettings, SignalKey } from '#domain/signals.ts';
import type { HealthSearch } from './search.ts';

/** All that the rows of a card need beside their signals. */
export interface HealthView {
  readonly health: Health;
  readonly settings: HealthSettings;
  readonly search: HealthSearch;
  /** "Last 90 days". */
  readonly window: string;
  /** The equally long window before, in words. */
  readonly before: string;
  readonly onToggle: (key: SignalKey) => void;
}
