/** What needs somebody although it is no pull request. */
export interface Notice {
  /** What it is about: a repository, a channel, the token. */
  readonly what: string;
  /** What happened and what to do, in whole sentences. */
  readonly say: string;
}

/** A repository that was not synced for so long is told, in hours. */
export const UNSYNCED_AFTER_HOURS = 24;

/** Days before the end of a personal token from which that is told. */
export const TOKEN_ENDS_WITHIN_DAYS = 7;

export const notices = {
  unsynced: (repository: string): Notice => ({
    what: repository,
    say: `It has not been synced for ${UNSYNCED_AFTER_HOURS} hours. Its page in the settings says why, and can start a sync.`,
  }),
  tokenRejected: (): Notice => ({
    what: 'Your access token',
    say: 'It was rejected by the host: nothing is synced with it and nothing else is told to you. Sign in again.',
  }),
  tokenDeleted: (): Notice => ({
    what: 'Your access token',
    say: 'You have not been here for 90 days, so it was deleted. Sign in again, and syncs go on.',
  }),
  apiTokenEnds: (name: string, days: number): Notice => ({
    what: `The token ${name}`,
    say: `It ends ${days === 1 ? 'within a day' : `in ${days} days`}, and what uses it stops then. Make another one in the settings.`,
  }),
  channelPaused: (name: string, reason: string): Notice => ({
    what: `The channel ${name}`,
    say: `It is paused: ${reason}. The settings can resume it.`,
  }),
} as const;
