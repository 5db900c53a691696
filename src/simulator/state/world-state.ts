import type { Commit, Entry, PullRequestHistory, RepositoryHistory, Reviewer, Who, World } from '../history.ts';
import { hashOf } from '../random.ts';
import { type AccountState, accountState, type TeamState, visitorAccount } from './account.ts';
import { Agenda } from './agenda.ts';
import { apply, type Names, openPull, settleRecorded, startCheck } from './fold.ts';
import { Organizations } from './organizations.ts';
import type { PullRequestEvent, PullState, RepositoryState } from './pull-request.ts';
import { fullName, repositoryState } from './repository.ts';

/** A merge and the closing that the host records with it lie at most this far apart. */
const MERGE_CLOSES_WITHIN = 5_000;

/** Made-up ids of what is added while the simulation runs start here, above those of any world. */
const FIRST_NEW_ID = 90_000_000_000;

/** The world as it is at `present`: everything that a history dates later is on the agenda. */
export class WorldState implements Names {
  readonly name: string;
  readonly signIn: readonly string[];
  readonly desk: string | null;
  readonly repositories = new Map<number, RepositoryState>();
  readonly pulls = new Map<number, PullState>();
  readonly accounts = new Map<number, AccountState>();
  readonly organizations: Organizations;
  present: number;
  onEvent: (event: PullRequestEvent) => void = () => {};
  readonly #byLogin = new Map<string, AccountState>();
  readonly #byFullName = new Map<string, RepositoryState>();
  readonly #agenda = new Agenda();
  readonly #visitors: boolean;
  #newIds = 0;
  #loading = true;

  constructor(world: World, present: number) {
    this.name = world.name;
    this.signIn = world.signIn;
    this.desk = world.desk ?? null;
    this.#visitors = world.visitors === true;
    this.present = present;
    for (const account of world.accounts) this.addAccount(accountState(account));
    this.organizations = new Organizations(this, this.#agenda);
    for (const organization of world.organizations ?? []) this.organizations.declare(organization);
    this.organizations.addTeams(world.teams, present);
    for (const repository of world.repositories) this.addRepository(repository);
    this.runUntil(present);
    this.#loading = false;
  }

  /** Lets happen what is due up to and including `now`. */
  runUntil(now: number): void {
    this.present = Math.max(this.present, now);
    this.#agenda.runUntil(this.present);
  }

  newId(): number {
    this.#newIds += 1;
    return FIRST_NEW_ID + this.#newIds;
  }

  addAccount(account: AccountState): void {
    this.accounts.set(account.id, account);
    this.#byLogin.set(account.login.toLowerCase(), account);
  }

  /** The account behind a login, old logins too; null for null. Throws where nobody has it. */
  account(who: Who): AccountState | null {
    if (who === null) return null;
    const account = this.#byLogin.get(who.toLowerCase());
    if (account === undefined) throw new Error(`The world '${this.name}' has no account '${who}'.`);
    return account;
  }

  /** The account that signs in with a login now, or null. */
  accountNamed(login: string): AccountState | null {
    const account = this.#byLogin.get(login.toLowerCase());
    if (account === undefined && this.#visitors) return visitorAccount(login);
    return account === undefined || account.deleted || account.login.toLowerCase() !== login.toLowerCase()
      ? null
      : account;
  }

  renameAccount(account: AccountState, login: string): void {
    const before = account.login.toLowerCase();
    account.login = login;
    this.#byLogin.set(login.toLowerCase(), account);
    for (const repository of this.repositories.values()) {
      for (const people of [repository.readers, repository.admins]) {
        if (people.delete(before)) people.add(login.toLowerCase());
      }
      if (repository.owner === account) this.#byFullName.set(fullName(repository).toLowerCase(), repository);
    }
  }

  reviewer(reviewer: Reviewer): AccountState | TeamState {
    if ('account' in reviewer) {
      const account = this.account(reviewer.account);
      if (account !== null) return account;
    } else {
      const name = reviewer.team.replace(/^@/, '');
      const team = this.organizations.teams.find(
        (other) => other.slug === name || `${other.organization}/${other.slug}` === name,
      );
      if (team !== undefined) return team;
    }
    throw new Error(`The world '${this.name}' has no reviewer ${JSON.stringify(reviewer)}.`);
  }

  addRepository(history: RepositoryHistory): RepositoryState {
    if (!this.#byLogin.has(history.owner.toLowerCase())) {
      const id = hashOf(`organization/${history.owner}`);
      const none = { name: null, email: null, avatarUrl: null };
      this.addAccount(accountState({ id, login: history.owner, type: 'Organization', ...none }));
    }
    const owner = this.account(history.owner);
    if (owner === null) throw new Error('A repository needs an owner.');
    const repository = repositoryState(history, owner);
    this.repositories.set(repository.id, repository);
    this.#byFullName.set(fullName(repository).toLowerCase(), repository);
    for (const pull of history.pullRequests) this.schedule(repository, pull);
    return repository;
  }

  /** By today's or a former `owner/name`; the caller compares names to see whether it was renamed. Null when there is none, or not any more. */
  repositoryNamed(owner: string, name: string): RepositoryState | null {
    const repository = this.#byFullName.get(`${owner}/${name}`.toLowerCase());
    return repository === undefined || repository.deleted ? null : repository;
  }

  /** Gives a repository another name or owner; the old name goes on leading to it. */
  moveRepository(repository: RepositoryState, owner: AccountState, name: string): void {
    repository.owner = owner;
    repository.name = name;
    this.#byFullName.set(fullName(repository).toLowerCase(), repository);
  }

  /** Takes a name away from whatever it led to, so that the old name answers 404. */
  forgetName(owner: string, name: string): void {
    this.#byFullName.delete(`${owner}/${name}`.toLowerCase());
  }

  /** Puts a pull request's whole history on the agenda; what is due happens at the next `runUntil`. */
  schedule(repository: RepositoryState, history: PullRequestHistory): void {
    const open = () => {
      const pull = openPull(repository, history, this);
      repository.byNumber.set(pull.number, pull);
      this.pulls.set(pull.id, pull);
      repository.counts.OPEN += 1;
      let next = 0;
      for (; next < history.entries.length; next += 1) {
        const entry = history.entries[next];
        if (entry === undefined || entry.at > this.present || !this.#loading) break;
        this.#happen(pull, entry, history.entries[next + 1]);
      }
      if (next === history.entries.length) settleRecorded(pull);
      repository.byCreation.add(pull);
      repository.byUpdate.add(pull);
      if (!this.#loading) this.onEvent({ kind: 'opened', pull, at: pull.createdAt });
      for (; next < history.entries.length; next += 1) {
        const entry = history.entries[next];
        const following = history.entries[next + 1];
        if (entry === undefined) continue;
        this.#plan(pull, entry, () => {
          this.#happen(pull, entry, following);
          if (following === undefined) repository.byUpdate.move(pull, () => settleRecorded(pull));
        });
      }
    };
    if (this.#loading && history.createdAt <= this.present) open();
    else this.#agenda.add(history.createdAt, open);
  }

  /** Adds an entry to what happened: at once when it is due, else when its time comes. Throws where it can't be applied. */
  append(pull: PullState, entry: Entry): void {
    if (entry.at > this.present) this.#plan(pull, entry, () => this.#happen(pull, entry, undefined));
    else this.#happen(pull, entry, undefined);
  }

  #plan(pull: PullState, entry: Entry, happen: () => void): void {
    if (entry.kind === 'check' && entry.startedAt < entry.at)
      this.#agenda.add(Math.max(entry.startedAt, pull.createdAt), () => startCheck(pull, entry));
    this.#agenda.add(Math.max(entry.at, pull.createdAt), happen);
  }

  #happen(pull: PullState, entry: Entry, following: Entry | undefined): void {
    const { repository } = pull;
    const state = pull.state;
    const previousHead = pull.head;
    const closes = following?.kind === 'closed' && following.at <= entry.at + MERGE_CLOSES_WITHIN;
    repository.byUpdate.move(pull, () => apply(pull, entry, this, !closes));
    if (pull.state !== state) {
      repository.counts[state] -= 1;
      repository.counts[pull.state] += 1;
    }
    if (!this.#loading) this.onEvent({ kind: 'entry', pull, entry, previousHead });
  }

  /** The commit with this id among those that the repository's pull requests list, and the pull requests that list it. */
  commitOf(repository: RepositoryState, sha: string): { commit: Commit; pulls: PullState[] } | null {
    let commit: Commit | null = null;
    const pulls: PullState[] = [];
    for (const pull of repository.byCreation.all()) {
      const listed = pull.commits.find((other) => other.commit.sha === sha);
      if (listed === undefined) continue;
      commit = listed.commit;
      pulls.push(pull);
    }
    return commit === null ? null : { commit, pulls };
  }
}
