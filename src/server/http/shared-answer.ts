/**
 * The same question for all who ask it: one at a time, and asked again only where the last one began at least that long ago, in milliseconds. Whoever asks
 * before that gets the same answer, or the same error.
 */
export function sharedFor<Answer>(milliseconds: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { readonly answer: Promise<Answer>; readonly at: number } | null = null;
  let isUnderWay = false;

  async function askOnce(): Promise<Answer> {
    isUnderWay = true;
    try {
      return await ask();
    } finally {
      isUnderWay = false;
    }
  }

  return () => {
    if (last === null || (!isUnderWay && performance.now() - last.at >= milliseconds))
      last = { at: performance.now(), answer: askOnce() };
    return last.answer;
  };
}
