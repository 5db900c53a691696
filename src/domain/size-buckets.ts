/** The names of the buckets of a size distribution, smallest first. */
export const sizeBuckets = ['0-50', '51-200', '201-500', '501-1000', '1000+'] as const;

export type SizeBucket = (typeof sizeBuckets)[number];

/** The most lines that a pull request of each bucket changes. */
export const mostLines: Readonly<Record<SizeBucket, number>> = {
  '0-50': 50,
  '51-200': 200,
  '201-500': 500,
  '501-1000': 1000,
  '1000+': Number.POSITIVE_INFINITY,
};

export type SizeDistribution = Readonly<Record<SizeBucket, number>>;
