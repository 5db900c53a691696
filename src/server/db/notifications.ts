import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { reasonOf } from '../start-error.ts';

/** What may have changed: who sees what, with what there is to see, or the latter alone. */
export type Told = 'sight' | 'figures';

/** PostgreSQL's word that something may have changed which open pages show (migration 0067 sends it, LISTEN hears it). */
export interface Notifications {
  /** Begins to listen, once; `heard` is called for each notification and, of sight, after every new connection. */
  start(heard: (what: Told) => void): void;
  /** False while there is no connection: nothing would be heard. */
  readonly listening: boolean;
  stop(): Promise<void>;
}

const CHANNEL = 'mergelight_changes';
/** How long to wait before connecting again, in milliseconds. */
const RECONNECT_AFTER = 2000;
/** How long a stop waits for the server to end the connection, in milliseconds: one that is gone without a word never does. */
const END_WITHIN = 1000;

/** Listens on a connection of its own, which is made again when it breaks; `log` is told once until it listens again. */
export function notificationsFrom(connectionString: string, log: (error: Error) => void): Notifications {
  let client: pg.Client | null = null;
  let listening = false;
  let started = false;
  let stopped = false;
  let told = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  async function connect(heard: (what: Told) => void): Promise<void> {
    again = undefined;
    try {
      // It throws where a file that the address names, such as of authorities, is not there.
      const mine = new pg.Client({
        connectionString,
        fallback_application_name: 'mergelight',
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
        connectionTimeoutMillis: 10_000,
      });
      client = mine;
      mine.on('notification', ({ payload }) => heard(payload === 'sight' ? 'sight' : 'figures'));
      mine.on('error', (error) => retry(heard, error));
      mine.on('end', () => retry(heard, null));
      await mine.connect();
      await mine.query(`listen ${CHANNEL}`);
      listening = client === mine;
      if (listening) told = false;
      heard('sight');
    } catch (error) {
      retry(heard, error as Error);
    }
  }

  function retry(heard: (what: Told) => void, error: Error | null): void {
    if (stopped || again !== undefined) return;
    listening = false;
    const broken = client;
    client = null;
    broken?.removeAllListeners();
    broken?.on('error', () => undefined);
    void broken?.end().catch(() => undefined);
    again = setTimeout(() => void connect(heard), RECONNECT_AFTER);
    if (!told)
      log(
        new Error(`Nothing listens for changes: ${error === null ? 'the connection ended' : reasonOf(error)}`, {
          cause: error,
        }),
      );
    told = true;
  }

  return {
    start(heard) {
      if (started || stopped) return;
      started = true;
      void connect(heard);
    },
    get listening() {
      return listening;
    },
    async stop() {
      stopped = true;
      listening = false;
      clearTimeout(again);
      await Promise.race([client?.end().catch(() => undefined), pause(END_WITHIN, null, { ref: false })]);
    },
  };
}
