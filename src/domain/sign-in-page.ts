/** Whether a path of this site leads to the sign-in page, to which nobody is sent after they signed in. */
export const leadsToSignIn = (path: string): boolean => /^\/login\b/i.test(path);
