const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** The pattern for `like` of what begins with a text. */
export const startingWith = (text: string): string => `${literally(text)}%`;

/** The pattern for `like` of what holds a text. */
export const containing = (text: string): string => `%${literally(text)}%`;
