/** A webhook delivery as it arrived; nothing in it is believed before `isSigned`. */
export interface RawDelivery {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface HostDelivery {
  /** The host's name of the event, for people to read; empty where it has none. */
  readonly event: string;
  /** Null for events that mean nothing to us. */
  readonly subject: DeliverySubject | null;
}

/** A delivery to the GitHub App, which hears of all repositories on which it is installed. Ids are the host's. */
export interface HostAppDelivery extends Omit<HostDelivery, 'subject'> {
  /** The repository that it is about, and what of it; null for what concerns none. */
  readonly repository: { readonly id: string; readonly subject: DeliverySubject } | null;
  /** Whose access may have changed: all who connected one of these repositories, or one of these owners', or these people. */
  readonly access: {
    readonly repository_ids: readonly string[];
    readonly owners: readonly string[];
    readonly account_ids: readonly string[];
    /** Whether these people took back what their tokens were made by. */
    readonly revoked: boolean;
  } | null;
  readonly teams: ChangedTeams | null;
  readonly membership: ChangedMembership | null;
}

/** A delivery of an organisation's webhook, which hears of all its repositories: as a repository's own, with the host's id of that one. */
export interface HostOrganizationDelivery extends HostDelivery {
  /** Null where it names none. */
  readonly repository_id: string | null;
  readonly teams: ChangedTeams | null;
  readonly membership: ChangedMembership | null;
}

/** What a webhook delivery names; a hint to look, never the truth itself (docs/server.md#webhooks-and-hints). */
export type DeliverySubject =
  /** The host tries whether deliveries arrive. */
  | { readonly kind: 'test' }
  | { readonly kind: 'pull_requests'; readonly numbers: readonly number[] }
  /** A branch of the repository itself, whose head was and now is one of these commits. */
  | { readonly kind: 'branch'; readonly branch: string; readonly heads: readonly string[] }
  | {
      readonly kind: 'commit';
      readonly sha: string;
      readonly numbers: readonly number[];
      /** A branch of the repository itself holds it, as far as the delivery says: the host leaves out those of forks. */
      readonly on_branch: boolean;
    }
  /** The repository itself, or who may read it. */
  | { readonly kind: 'repository' }
  /** The repository was deleted, if that is true. */
  | { readonly kind: 'deleted' };

/** The organisation of which people may have come or gone, and who, by the host's id: null where it names nobody. */
export interface ChangedMembership {
  /** In lower case. */
  readonly organization: string;
  readonly account_id: string | null;
}

/** The organisation whose teams or members may have changed, and whom that was about, where it names one; null for other events. */
interface ChangedTeams {
  readonly organization_id: string;
  readonly account_id: string | null;
}
