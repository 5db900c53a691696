import type { ConnectedRepository } from '#contract/repositories.ts';

/** What is stored of somebody's connection to a repository and of the repository's names. */
export interface ConnectionState {
  readonly visible: boolean;
  /** Whether the host was asked with the credential that is stored now. */
  readonly checked: boolean;
  readonly settled: boolean;
  readonly lost_reason: string | null;
  readonly lost_link: string | null;
  readonly checked_at: Date;
  readonly check_due_at: Date;
  readonly connected_at: Date;
  readonly archived: boolean;
  /** The name for this person, also of one that they no longer see. */
  readonly owner: string;
  readonly name: string;
  readonly former_owner: string | null;
  readonly former_name: string | null;
  readonly renamed_at: Date | null;
}

/** A new name is told for so long, in days. */
const DAYS_OF_NEWS = 30;

/** Whether somebody reads a repository, why not, and what is worth knowing about it, in words. */
export function accessAndCondition(
  of: ConnectionState,
  host: string,
  now: Date,
): Pick<ConnectedRepository, 'access' | 'condition' | 'message'> {
  const checks = { checked_at: of.checked_at.toISOString(), next_check_at: of.check_due_at.toISOString() };
  if (of.visible)
    return { access: { state: 'readable', reason: null, link: null, ...checks }, ...conditionOf(of, host, now) };
  if (!of.checked || !of.settled) {
    const reason = of.checked
      ? `Checking again whether your account may still read ${of.owner}/${of.name}`
      : 'Checking what your account may read …';
    return { access: { state: 'checking', reason, link: null, ...checks }, condition: 'ok', message: null };
  }
  const message = whyLost(of, host);
  return {
    access: { state: 'lost', reason: message, link: of.lost_link, ...checks },
    condition: of.lost_reason === 'gone' ? 'gone' : 'lost',
    message,
  };
}

function conditionOf(of: ConnectionState, host: string, now: Date): Pick<ConnectedRepository, 'condition' | 'message'> {
  if (of.archived)
    return { condition: 'archived', message: `Archived at ${host}: what there is can be read, nothing new comes.` };
  const { renamed_at, former_owner, former_name } = of;
  const isNews =
    renamed_at !== null &&
    renamed_at > of.connected_at &&
    now.getTime() - renamed_at.getTime() < DAYS_OF_NEWS * 86_400_000;
  if (!isNews) return { condition: 'ok', message: null };
  const moved = former_owner !== of.owner;
  const before = `${former_owner}/${former_name}`;
  return moved
    ? { condition: 'moved', message: `Moved here from ${before}.` }
    : { condition: 'renamed', message: `Renamed: it was called ${before} before.` };
}

function whyLost({ owner, name, lost_reason }: ConnectionState, host: string): string {
  const repository = `${owner}/${name}`;
  switch (lost_reason) {
    case 'gone':
      return `${repository} was deleted at ${host}.`;
    case 'sso_required':
      return `${owner} asks for single sign-on: sign in to the organization at ${host}, and ${repository} comes back.`;
    case 'blocked':
      return `${host} has blocked access to ${repository}.`;
    case 'missing_scope':
      return `Your sign-in lacks a permission for ${repository}: sign in again and grant it.`;
    case 'forbidden':
      return `${host} does not let your account read ${repository}. Ask an owner of ${owner} whether your sign-in is allowed there; a fine-grained token needs read access to pull requests.`;
    default:
      return `${host} no longer shows ${repository} to your account. With access again it comes back by itself.`;
  }
}
