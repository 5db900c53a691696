import type { World } from '../history.ts';

export const WORLDS = ['tiny', 'awkward', 'demo', 'recorded', 'generated', 'company'] as const;
export type WorldName = (typeof WORLDS)[number];

interface WorldSettings {
  readonly name: WorldName;
  /** The present of the host's clock. */
  readonly now: number;
  /** Of `demo`: when its life begins. */
  readonly since: number | null;
  /** Of `demo`, `generated` and `company`. */
  readonly seed: number | null;
  /** Of `recorded`: the folder with the data sets. */
  readonly data: string | null;
  /** Of `generated` and `company`: how many pull requests. */
  readonly count: number | null;
}

interface DemoModule {
  demoWorld(options: { since: number; now: number; seed?: number }): World;
}

const HALF_YEAR = 182 * 86_400_000;

/** Builds a world by name. Throws with what is missing. */
export async function buildWorld(settings: WorldSettings): Promise<World> {
  const { name, now } = settings;
  switch (name) {
    case 'tiny':
      return (await import('./tiny.ts')).tinyWorld(now);
    case 'awkward':
      return (await import('./awkward.ts')).awkwardWorld(now);
    case 'recorded': {
      if (settings.data === null) throw new Error('The recorded world needs --data with the folder of the data sets.');
      return (await import('./recorded.ts')).recordedWorld(settings.data, now);
    }
    case 'generated':
      return (await import('./generated.ts')).generatedWorld(settings.count ?? 1000, now, settings.seed ?? 1);
    case 'company':
      return (await import('./company.ts')).companyWorld(settings.count ?? 60_000, now, settings.seed ?? 1);
    case 'demo': {
      const { demoWorld }: DemoModule = await import('./demo/demo.ts');
      const seed = settings.seed === null ? {} : { seed: settings.seed };
      return demoWorld({ since: settings.since ?? now - HALF_YEAR, now, ...seed });
    }
  }
}
