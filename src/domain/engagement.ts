export type Intensity = 'High' | 'Medium' | 'Low';

/** How engaged a reviewer is by their total comments: above 10 High, above 5 Medium, else Low (product specification, section 9, "PR deep dive"). */
export function engagementLabel(totalComments: number): Intensity {
  if (totalComments > 10) return 'High';
  return totalComments > 5 ? 'Medium' : 'Low';
}

/** The length of the engagement bar in percent: comments out of 20, capped at 100. */
export function engagementBar(totalComments: number): number {
  return Math.min(100, (100 * totalComments) / 20);
}

/** How intense the discussion is by general and review comments together: above 20 High, above 10 Medium, else Low. */
export function discussionIntensity(generalComments: number, reviewComments: number): Intensity {
  const combined = generalComments + reviewComments;
  if (combined > 20) return 'High';
  return combined > 10 ? 'Medium' : 'Low';
}
