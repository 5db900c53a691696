export type Intensity = 'High' | 'Medium' | 'Low';

/** How engaged a reviewer is by their total comments: above 10 High, above 5 Medium, else Low (docs/product.md#thresholds-and-ratings). */
export function engagementLabel(totalComments: number): Intensity {
  if (totalComments > 10) return 'High';
  return totalComments > 5 ? 'Medium' : 'Low';
}

/** So many comments fill the engagement bar. */
const FULL_AT = 20;

/** The length of the engagement bar in percent: comments out of 20, capped at 100. */
export function engagementBar(totalComments: number): number {
  return Math.min(100, (100 * totalComments) / FULL_AT);
}

/** What the bar is a part of: "3 of 20 comments"; above that, that it is full. */
export function engagementWords(totalComments: number): string {
  return totalComments > FULL_AT
    ? `${totalComments.toLocaleString('en-US')} comments, over ${FULL_AT}`
    : `${totalComments} of ${FULL_AT} comments`;
}

/** How intense the discussion is by general and review comments together: above 20 High, above 10 Medium, else Low. */
export function discussionIntensity(generalComments: number, reviewComments: number): Intensity {
  const combined = generalComments + reviewComments;
  if (combined > 20) return 'High';
  return combined > 10 ? 'Medium' : 'Low';
}
