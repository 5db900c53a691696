/** What a personal token may be allowed to read: everybody's figures, and what waits for its owner. */
export const tokenScopes = ['read:figures', 'read:mine'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The most live tokens of a person. */
export const MOST_TOKENS = 20;
/** How many days ahead a token ends: at least, at most, and where nobody says. */
export const TOKEN_DAYS = { least: 1, most: 366, usual: 90 } as const;
export const LONGEST_TOKEN_NAME = 60;
