/** Points that a pull request costs, its lists read to the end: between 0.016 and 0.045 by repository (`bench/sync.md`). */
export const POINTS_PER_PULL_REQUEST = 0.03;
/** Points that begin and end the import of a repository, however small. */
export const POINTS_PER_REPOSITORY = 2;
