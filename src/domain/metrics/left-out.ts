/** Why something does not count in a figure, as the explanation of the figure says it. */
export const leftOutReasons = {
  byMachines: 'Reviews by bots and agents',
  replies: 'Replies in threads',
  notReviewedYet: 'Opened in the window and not reviewed yet',
} as const;
