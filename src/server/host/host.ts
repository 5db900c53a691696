import type { HostClient } from './client.ts';
import type { HostAppDelivery, HostDelivery, HostOrganizationDelivery, RawDelivery } from './delivery.ts';
import type { HostOAuth, TokenSource } from './oauth.ts';

/**
 * The host itself, before anybody's token: sign-in and webhook signatures. Only the composition root names a concrete host, all others
 * import this file and those beside it; in all of them instants are `Date`s, absent is null, and logins are as the host shows them to
 * people (a bot's carries `[bot]`).
 */
export interface CodeHost {
  /** What rows of this host are keyed by: its web address, or `demo`. */
  readonly key: string;
  /** The host's name as a person knows it: `GitHub`, or the server's host name. */
  readonly label: string;
  /** Null when sign-in by OAuth is not configured. */
  readonly oauth: HostOAuth | null;
  /** A client that calls the host as whoever this token belongs to; one that is renewed comes from a source. */
  as(token: string | TokenSource): HostClient;
  /** Whether a text looks like a token that a person made by hand at the host. */
  isPersonalToken(token: string): boolean;
  /** Whether a delivery has a signature at all, by what is known of it before its body. */
  hasSignature(delivery: Pick<RawDelivery, 'headers'>): boolean;
  /** True when the delivery was signed with this secret; compared in constant time. */
  isSigned(delivery: RawDelivery, secret: string): Promise<boolean>;
  /** What a delivery of a repository's webhook says; null when it cannot be read at all. */
  readDelivery(delivery: RawDelivery): HostDelivery | null;
  /** What a delivery to the GitHub App says; null when it cannot be read at all. */
  readAppDelivery(delivery: RawDelivery): HostAppDelivery | null;
  /** What a delivery of an organisation's webhook says; null when it cannot be read at all. */
  readOrganizationDelivery(delivery: RawDelivery): HostOrganizationDelivery | null;
}
