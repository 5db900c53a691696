/** The heading of the cards that are about one reviewer. */
export const DETAILS = 'ai-reviewer-details';

/** Moves the focus to the cards about one reviewer, which brings them into sight. */
export function showReviewer(): void {
  document.getElementById(DETAILS)?.focus();
}
