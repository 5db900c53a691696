interface ThrottleSettings {
  readonly milliseconds: number;
  /** Ends early when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Runs `act` for a key at once, and where the same key comes again within `milliseconds`, once more when they are over. `act` must not
 * reject. Counted in this process.
 */
export function throttled<Key>(
  act: (key: Key) => Promise<void>,
  { milliseconds, sleep, signal }: ThrottleSettings,
): (key: Key) => Promise<void> {
  const recent = new Map<Key, { again: boolean }>();

  async function run(key: Key): Promise<void> {
    const before = recent.get(key);
    if (before !== undefined) {
      before.again = true;
      return;
    }
    const state = { again: false };
    recent.set(key, state);
    await act(key);
    void sleep(milliseconds, signal).then(async () => {
      recent.delete(key);
      if (state.again && !signal.aborted) await run(key);
    });
  }

  return run;
}
