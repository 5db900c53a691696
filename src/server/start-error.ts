/** A reason not to start that a person can act on: printed as one line, without a stack, and the process ends with 1. */
export class StartError extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence.replaceAll(/\s*\n\s*/g, ' '), { cause });
    this.name = 'StartError';
  }
}

/** The first line of whatever was thrown, for the tail of a sentence. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.split('\n')[0] ?? '';
}
