import { TESTS_A_MINUTE } from '#domain/notifications/subscriptions.ts';
import { HttpError } from '../http/errors.ts';
import { TokenBuckets } from '../http/token-buckets.ts';

/** Addresses of channels that a person may have checked in a minute: each may have to be looked up. */
const ADDRESSES_A_MINUTE = 30;
/** Confirmation mails that are tried in an hour because of a person, also those that the mail server refuses. */
const CONFIRMATIONS_TRIED_AN_HOUR = 20;

/**
 * How often a person may have others be asked something, counted in memory as all limits of requests.
 * Each @throws HttpError 429 with the seconds to wait
 */
export interface NotificationLimits {
  countTest(user_id: number): void;
  countAddress(user_id: number): void;
  countConfirmation(user_id: number): void;
}

export function notificationLimits(now: () => Date): NotificationLimits {
  const limit = (most: number, seconds: number, of: string) => {
    const buckets = new TokenBuckets(most, most / seconds, now);
    return (user_id: number) => {
      const wait = Math.ceil(buckets.take(String(user_id)));
      if (wait === 0) return;
      throw new HttpError('too_many_requests', `At most ${most} ${of}. Try again in ${wait} s.`, {
        retry_after: wait,
      });
    };
  };
  return {
    countTest: limit(TESTS_A_MINUTE, 60, 'tests a minute'),
    countAddress: limit(ADDRESSES_A_MINUTE, 60, 'addresses a minute'),
    countConfirmation: limit(CONFIRMATIONS_TRIED_AN_HOUR, 3600, 'confirmation mails an hour'),
  };
}
