/**
 * When people are expected to work: Monday to Friday, 09:00–17:00 on the viewer's clock (docs/metrics.md#one-pull-request).
 * Apart from the computation, so that a browser without `Temporal` can draw them.
 */

/** The hour of day at which work begins. */
export const WORK_BEGINS = 9;

/** The hour of day at which work ends. */
export const WORK_ENDS = 17;

/** Friday; weekdays count from Monday = 1. */
export const LAST_WORKDAY = 5;

/** The same in words, beside the name of the time zone. */
export const workingHoursText = 'Mon to Fri, 09:00 to 17:00';
