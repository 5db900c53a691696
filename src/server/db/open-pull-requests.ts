import { sql } from 'kysely';

/** True of an open pull request `p` with its facts `f`. It is said of both, since each has an index of open ones alone. */
export const isOpen = sql<boolean>`(p.state = 'open' and f.ended_at is null)`;
