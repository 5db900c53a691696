/** The key of the demo's own code host, where an account's host is told (docs/server.md). */
export const DEMO_HOST = 'demo';
