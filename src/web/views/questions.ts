import { ask } from '../api/query.ts';

/** One's own kept views and everyone's. */
export const askViews = () => ask('listViews', undefined);
