/** A reason not to start that a person can act on: printed as one line, without a stack, and the process ends with 1. */
export class StartError extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence.replaceAll(/\s*\n\s*/g, ' '), { cause });
    this.name = 'StartError';
  }
}

/** The first line of whatever was thrown, for the tail of a sentence. */
export function reasonOf(error: unknown): string {
  // A name whose addresses all refused fails with an error for each, and no words of its own.
  if (error instanceof AggregateError && error.message === '' && error.errors.length > 0)
    return reasonOf(error.errors[0]);
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.split('\n')[0] ?? '';
}
