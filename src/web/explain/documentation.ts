/** Pages of the documentation that this server shows of its own version; no routes of the application. */
export const documentationOf = {
  all: '/docs',
  api: '/docs/api',
  licence: '/docs/licence',
  operating: '/docs/operating',
  signIn: '/docs/operating#signing-in-with-github',
  signals: '/docs/metrics#signals',
  /** A figure's row, by its key, or a section. */
  figure: (anchor: string) => `/docs/metrics#${anchor}`,
} as const;
