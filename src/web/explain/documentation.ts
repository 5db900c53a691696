/** Pages of the documentation that this server shows of its own version; no routes of the application. */
export const documentationOf = {
  all: '/docs',
  licence: '/docs/licence',
  operating: '/docs/operating',
  signIn: '/docs/operating#signing-in-with-github',
  signals: '/docs/metrics#signals',
  /** A figure's row. */
  figure: (key: string) => `/docs/metrics#${key}`,
} as const;
