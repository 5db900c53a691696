/**
 * Of the one process that sets the database up, an advisory lock's number; any that nothing else locks. `if not exists` is not
 * enough: PostgreSQL answers a process that waited from what it remembered of before.
 */
export const SET_UP_LOCK = 7_230_411;
