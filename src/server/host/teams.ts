import type { HostAccount } from './pull-request.ts';

/** A team of an organisation as one token is shown it. */
export interface OrganizationTeam {
  /** Stays the same when the team is renamed. */
  readonly id: string;
  readonly slug: string;
  /** `organization/slug`. */
  readonly handle: string;
  readonly name: string;
  /** Shown to its members and to owners alone. */
  readonly secret: boolean;
  /** The id of the team that it is part of; null where there is none, or this token isn't shown it. */
  readonly parent_id: string | null;
  /** How many immediate members the host counts. */
  readonly size: number;
  /** Immediate members; null where not all of them were told or asked for. */
  readonly members: readonly HostAccount[] | null;
}

/** The teams of an organisation as one token is shown them. */
export interface OrganizationTeams {
  readonly organization: Pick<HostAccount, 'id' | 'login' | 'name' | 'avatar_url'>;
  /** Whether the token's account belongs to it; nobody else is shown a team. */
  readonly is_member: boolean;
  readonly teams: readonly OrganizationTeam[];
  /** False where the host left out some of them. */
  readonly complete: boolean;
}
