/*
 * What the columns of the tables mean where their names do not say it; written into src/server/db/database.ts by scripts/tables.ts. The
 * empty name is the table itself.
 */
export const notes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  people: {
    name_lower: '`name` in lower case as JavaScript does it: databases disagree about letters beyond ASCII.',
  },
  account_kinds: {
    '': "The marks that hold for everyone: an administrator's, and those of whom nobody knows who set them.",
  },
  own_account_kinds: {
    '': 'The marks that hold for whoever made them.',
  },
  own_mark_changes: {
    '': 'Users whose own marks have changed since a worker last looked at them, with an id of the last change.',
  },
  account_recounts: {
    '': 'Accounts whose kind for everyone is to be settled and whose pull requests are to be counted again.',
  },
  lenses: {
    '': 'A repository as a user with marks of their own sees it (docs/decisions/0009). What hangs on it, the tables `lens_…`, only lens-rows.ts, lens-views.ts and the worker name.',
    changed_at: 'When what the user sees last changed without anybody else seeing a change.',
  },
  users: {
    work_of:
      "The account whose work the user is shown, by the host's id; null: their own. Only visitors of the demo have one.",
    time_zone_known: 'False until it was taken from the browser or chosen by the person.',
    written_lsn:
      'Up to where a read replica has to have replayed the log before it may answer them; null: whatever it has.',
    seen_at: 'Their last request, to some minutes.',
    unused_token_deleted_at:
      'When their token was deleted because they had not been seen for 90 days; null where the last one was deleted otherwise.',
    organizations:
      'Organisations that they are a member of, lower-cased logins, as the host said at `organizations_at`; null where it was not asked.',
  },
  snoozes: {
    '': 'What people have put aside of their work.',
    until: 'Null: until it changes.',
    kind: 'What it was to them then, and since when: with `until_change` it comes back with another.',
  },
  administrators: {
    '': 'Which account a login of ADMIN_LOGINS means: the first that this server knew by it.',
    login: 'In lower case.',
  },
  credentials: {
    '': 'The host token of each person that is used now.',
    grant_id:
      "The credential's identity: it stays when the same OAuth grant is stored again or refreshed, and is another for any other credential. What was checked or opened with an earlier one counts no longer.",
    client_id: 'The OAuth client that it was issued to; null for a personal access token and where it is not known.',
    expires_at: "When the token ends; null where it doesn't, or the host did not say.",
    refresh_leased_until:
      "Until when a process has taken the refresh of this token on itself, by the database's clock.",
  },
  api_tokens: {
    '': 'Personal tokens, by which programs read what their owner reads.',
    token_hash: 'SHA-256 of the token, hexadecimal.',
    repositories: "Which of the owner's repositories it reads; null: all.",
    last_used_at: 'To the hour.',
  },
  api_token_networks: {
    '': 'From where each token was used.',
    network: 'The first 24 bits of an IPv4 address, 48 of an IPv6 one.',
  },
  assistant_calls: {
    '': 'What assistants asked last, by person; never with what.',
  },
  former_credentials: {
    '': 'Stronger credentials that a weaker one replaced, kept for syncs alone of the connections that name them.',
    client_id: 'As of `credentials`, as are the next four.',
  },
  allowed_logins: {
    '': 'Whom a login of ALLOWED_LOGINS means: the account that first signed in under it, also when another one has taken the name.',
    login: 'Lower case.',
  },
  revocations: {
    '': 'Tokens that are no longer used here and are still to be ended at the host.',
    what: 'The token alone, or all that its person granted to our app.',
    due_at: 'When it is tried next.',
  },
  sessions: {
    id: 'What its person calls it by; opens nothing.',
    grant_id: 'The credential that opened it: it ends when another one is stored.',
    last_used_at: 'Written about once a minute.',
    browser:
      'Browser and system as the browser names itself, e.g. `Firefox on Linux`; null where it says nothing known.',
  },
  security_events: {
    '': 'Who did what and from where, for administrators; kept for 400 days.',
    actor: 'A login.',
    repository_id: 'The repository that `subject` names.',
  },
  pull_request_changes: {
    '': 'When what is told of each pull request changed last (docs/server.md#loading-bit-by-bit).',
  },
  changed_people: {
    '': 'Accounts with another login, name or picture, until it is noted of each of their pull requests that it changed.',
  },
  repositories: {
    rename_told_at: 'The `renamed_at` since which it is noted of its pull requests that they changed.',
    node_id:
      'The key by which the host finds it with others in one request; null until it was read since that is stored.',
    former_owner: 'What it was called before it was last renamed or moved, and when that was noticed.',
    webhook_refused_since:
      'Since when deliveries are refused, as far as that is known: the secret was replaced, and the host signs with the one before.',
    page_size: 'The page size that the host could compute last; null before the first page.',
    watermark: 'All changes up to this moment are stored; null before the first completed scan.',
    history_completed_at: "When all history was there for the first time; reading it again doesn't change it.",
    changed_at: 'When anything that a screen shows was last stored.',
  },
  webhook_old_secrets: {
    '': "Secrets that were replaced and are still taken for a while; sealed as the repository's own is.",
  },
  connections: {
    '': '`metrics/scope.ts` alone says which of them somebody sees.',
    readable: "What the host said last about the person's token.",
    checked_with: 'The `grant_id` of the credential that it said it about; null before the first check.',
    lost_at: 'Since when the host refuses, why, and where single sign-on brings it back; null while readable.',
    settled: "False between the host's first refusal and the second, which settles it.",
    seen_owner: 'The name under which the person last saw it.',
    former_grant_id: 'The stronger credential that syncs go on with until the stored one has read this repository.',
  },
  pull_requests: {
    collection:
      'What was collected of it when it was read last: 0 before labels, assignees, traces and words were; -1 where newer rules are to read them again; below that without its commits (`stored-records.ts`).',
    collection_tried_at: 'When it was last read again in vain.',
    assignees: 'Who was assigned, and until when; null for nobody, and where it was not read.',
    description_marks:
      'What its description says of agents and reverts, of which nothing else is kept; null where it says nothing.',
    title_lower: '`title` in lower case as JavaScript does it; sorted and searched by code points.',
    ended_at: 'When it was merged, else closed; null while open.',
    fetched_at: 'When the host was asked for what is stored here.',
    settled:
      'False while another change within the same second of `updated_at` could have been missed: it is then read once more.',
  },
  commits: {
    by_agent: 'Whether its message or git author carries the trace of a coding agent.',
    trailers:
      'The traces and the co-authors that its message names, of which nothing else is kept; null where there are none.',
    reverts_sha: 'The commit that its message says it reverts.',
    listed_at: "Where the timeline shows it: `committed_at`, but not before the pull request's `created_at`.",
  },
  comments: {
    body_words: 'Of general ones; null where it was not read.',
    outdated:
      'Of inline ones, as are the next three: as read last, or first after the end. Null where it was not read.',
    minimized: "The host's reason in lower case; null where it is shown.",
  },
  review_threads: {
    '': 'Threads with inline comments of an agent, as they were first read after the pull request ended.',
    comment_id: 'The inline comment that opened it.',
  },
  clues: {
    '': 'What is asked once about single pull requests, beside what is read of all: how threads ended, and who started an agent.',
    kind: '`session` and `issue` tell who started it; `names` are accounts that its texts name and that are not known yet.',
    due_at: 'When it is to be asked; null when it was.',
    read_for: 'Of threads: the end of the pull request after which they are read.',
    person_ids: 'Whom it tells of.',
  },
  unknown_accounts: {
    '': 'Accounts that a text names and that the host does not know: they are not looked up again.',
    named: 'The id, or `@` and the login in lower case.',
  },
  corrections: {
    '': 'What somebody who may says better than the rules; it outlives every reading.',
    person_id: 'Who is credited; null for nobody.',
  },
  first_acts: {
    '': 'Nothing reads or fills it: the first acts of AI reviewers are found in `reviewer_acts`. Processes of the version before still write to it; the next version drops it.',
  },
  notes: {
    '': 'What people note beside figures over time, for themselves or for everyone who signs in at the same host.',
    at: 'The moment that it tells of.',
  },
  front_end_files: {
    '': 'What the pages of each version load, for the processes of other versions that are asked for it while several run.',
    name: 'It has the hash of what the file holds.',
    body: 'Compressed by brotli.',
    kept_at: 'When a process of a version that has it last ran, to the day.',
  },
  kept_views: {
    '': 'Addresses of our screens that people keep under a name, for themselves or for everyone who signs in at the same host.',
    slug: 'Random: what its own address holds.',
    path: 'With its query, as whoever keeps it sees it; others get what is theirs of it.',
    pinned: 'Whether it stands on the dashboard of those who see it.',
  },
  agent_labels: {
    '': 'Labels that say which tool took part, beside those that are known.',
    label: 'In lower case.',
  },
  reviews: {
    body_words: 'Null where it was not read.',
    counts: 'A counting review (docs/metrics.md#what-holds-everywhere).',
    automated: 'What a counting review is to a human, by a bot or an agent: only `accounts=all` shows it.',
    latest:
      "The last of its author's counting (or automated) reviews of the pull request: by it a reviewed pull request is counted once.",
  },
  review_requests: {
    team: '`@org/slug`, or `@?` for a team whose name the token may not read; null for a person.',
  },
  reviewer_acts: {
    '': 'What a reviewer did in a pull request of another (docs/metrics.md#ai-reviewers): a tool with all its accounts, or the people.',
    reviewer: 'The tool; empty: the people.',
    person_id: 'The account that acted last.',
    acted_at: 'Ascending.',
    reviews: 'Those that count, of tools those that would if people gave them.',
    changed: 'These five are fates of findings, of those whose fate is known; of open pull requests they are 0.',
    ready_at: 'It and `ended_at` as in `pull_request_facts`.',
  },
  pull_request_facts: {
    '': 'Facts of one pull request (docs/metrics.md#one-pull-request); durations of open ones hold the part before `waiting_since`.',
    authorship:
      'It and the next four are null until they were computed first (`attribution-columns.ts` says what holds until then).',
    acts: 'By which rules the rows of `reviewer_acts` of the pull request were computed; 0: not yet.',
    ended_at: 'These five as in `pull_requests`, so that a question about many of them reads one index.',
    provisional_until:
      'A date of the pull request that lies in the future: once it has passed the facts are computed again.',
  },
  participations: {
    '': 'What one person did on one pull request in one calendar month of UTC; `recountParticipations` keeps it. A null person is a deleted account.',
    last_activity_at:
      'Their latest timeline event or inline comment; null where only the date of authoring a commit lies in the month.',
    by_agent: 'Of those opened, open and merged the ones in which an agent took part as an author.',
    reviewed: "The pull request's latest counting review by the person lies in the month.",
    ended: 'Merged, or closed without merging.',
    with_cycles: 'Merged with a counting review, and the rounds of these.',
    responses: 'Counting reviews with a response time.',
    contributions: 'Everything that makes a day active (`active_days` in docs/metrics.md#the-team-and-its-people).',
  },
  contributor_totals: {
    '': "The sum of a person's participations in one repository; the latest activity is the latest of theirs.",
    by_agent: 'Of those opened, open and merged the ones in which an agent took part as an author.',
  },
  contributor_months: {
    '': "The sum of a living account's participations in one repository and a calendar month of UTC, or a year that begins with a quarter.",
    span: '0 for a month, else the month of the calendar with which the twelve begin.',
    month: 'The first one.',
    reviewed: "The pull request's latest counting review by the person lies in the month.",
    ended: 'Merged, or closed without merging.',
    with_cycles: 'Merged with a counting review, and the rounds of these.',
    responses: 'Counting reviews with a response time.',
    contributions: 'Everything that makes a day active (`active_days` in docs/metrics.md#the-team-and-its-people).',
  },
  number_states: {
    '': 'By blocks of 8192 numbers of a repository: a bit each, in the order of `get_bit`.',
  },
  person_numbers: {
    '': 'What somebody wrote or is credited with, or `reviewed` with a review that counts: the numbers of a block of 8192, four bytes each, ascending.',
    first_at: 'When the first of them was opened, or when the first review was given, and the last.',
  },
  timeline_moments: {
    '': 'Every event of every timeline, with its account where there is one.',
    person_id: 'Null of checks and deleted accounts.',
  },
  sync_sessions: {
    asked_by: "A person's session goes before the hourly ones.",
    percentage: 'Never falls while the session lives.',
    seconds_per_pull_request: 'Smoothed over the pages; null before enough of them.',
    claimed_at: "When a worker last took it, by the database's clock.",
    turn: 'Grows with every claim of any session: users take turns by it. Null before the first.',
    sequence: 'Grows with every session: the newest one has the highest.',
    waited_seconds: 'The pauses since something was last stored, summed up.',
  },
  hints: {
    '': 'A request to look at something on the host soon, at most once per 5 s however many arrive (docs/server.md#webhooks-and-hints).',
    subject: '`pull request 12`, `commit <sha>`, `changes` or `repository`.',
    hints: 'How many have arrived.',
    due_at: 'Null when nothing is left to look at.',
  },
  recounts: {
    '': 'A repository whose sums, or facts, are to be recounted behind the running server.',
    sums: 'First the sums, where true; then the facts, from what is stored, where true.',
    unusable: 'What is there must not be shown until then; else it is shown until its own recount begins.',
    counted_to: 'The highest number that was counted; null before it begins.',
    summed_to: 'The person up to whom sums are there; null before all participations were counted.',
    seconds: 'What it has taken so far.',
  },
  recounts_done: {
    '': 'One row, of the repositories that were recounted while others are not: what `recounts` held of them.',
  },
  unstorable_pull_requests: {
    '': 'A pull request whose version of `updated_at` could not be stored, which is tried again when it changes, or that the host could not tell, of which no version is known (`epoch`).',
    number:
      '0 stands for pull requests that the host listed without telling which: those updated since `updated_at` are listed again.',
    reason: 'One sentence for a person.',
    again_at: 'When the host is asked for it again; null for one that could not be stored.',
  },
  hint_limits: {
    '': 'What hints about a repository have led to within the last hour.',
    looks: 'Look-ups since then.',
    synced_at: 'When hints last led to a sync.',
  },
  absent_numbers: {
    '': 'Numbers far above all known ones which the host was asked for in vain.',
  },
  workflow_reads: {
    '': 'How far the workflow runs of a repository are read (docs/server.md#workflow-runs).',
    due_at: 'When their list is to be read again.',
    read_at: 'When something of them was read last: repositories take turns by it.',
    from_at: 'The list that is being read goes back to then, and is read down to `until_at`; both null while none is.',
    page: 'Of those created up to `until_at`, the page to be read next.',
    known_from: 'Runs created since then are stored; null before their list was read to its end once.',
    allowed: 'Whether anybody’s token may read them; null before the host was asked.',
    jobs_left: 'Of how many runs jobs may be asked for until the list is read again.',
  },
  workflow_runs: {
    '': 'A workflow run that a pull request caused.',
    attempts: 'The number of the latest.',
    outcome: 'How that one ended; null while it runs.',
    jobs_due: 'The jobs of its attempts are to be asked for.',
    jobs_attempt: 'The attempt up to which they were read; null before.',
    jobs_tries: 'How often they were asked for in vain.',
    reruns: 'Attempts after the first that nobody stopped; null before jobs were read.',
    rerun_wait_hours: 'From the end of the first failed attempt until the end of the next that succeeded.',
  },
  workflow_run_pull_requests: {
    '': 'Which pull requests a workflow run belongs to.',
    by_head: 'The host names none: its branch and commit are those of this one.',
  },
  workflow_jobs: {
    '': 'A job of a workflow run that failed or succeeded in an attempt that nobody stopped.',
    flaky: 'It failed in one attempt and succeeded in a later one.',
  },
  hint_quotas: {
    '': "How much of a user's quota hints, what is read again, and workflow runs have used in the host's hour that ends then.",
    quota:
      'Points an hour; null while the host has not said, and where it has no limit; 0 while the host wants a pause of this user.',
  },
  repository_lists: {
    '': "What a person's token listed at the host a moment ago; pages of one list come from one row.",
    grant_id: 'The credential that it was read with: another one lists other repositories.',
  },
  followed_owners: {
    looked_at: 'When what is here was last compared with what the person’s token lists.',
  },
  imports: {
    '': 'Repositories that somebody connected together, and whether their syncs go on.',
  },
  import_repositories: {
    session_id: 'The sync that was begun for it; null where its history was here already.',
  },
  removed_connections: {
    '': 'What somebody removed by hand: following an owner does not bring it back.',
    repository_id: 'By what processes of the version before 0052 know it; filled by a trigger.',
  },
  organization_webhooks: {
    organization_id: "The host's id of it, as the owner's of its repositories.",
  },
  team_readers: {
    '': 'Whose token lists a team of the host.',
    lost_at:
      'Since when it lists others of the organisation without this one, which was visible to all members; null while it lists it. An archived team is seen all the same, unless it is withheld.',
    withheld:
      'True from when another token took the place of the one that listed it, or the host refused the list, until a list by a token is stored.',
  },
  team_readings: {
    '': "When the host was asked for what a person is shown of an organisation's teams.",
    organization_id: "The host's id of it.",
  },
  team_imports: {
    '': 'Who chose to import a team of the host; it goes with the last of them.',
  },
  imported_organisations: {
    '': 'Whose choice it is that teams of an organisation which appear later are imported, too.',
    with_children: 'False where only those are that are part of none.',
  },
  teams: {
    '': 'Teams of the host, and groups that people make.',
    organisation: "The organisation's login.",
    assumed_before: 'Who was a member when it was first read is taken for one before that, too.',
    read_at: 'When it was last read whole.',
    empty_since:
      'Since when it comes back empty although it had many members; null where it does not, or that is believed.',
    missing_since: 'Since when whoever is shown other teams of the organisation is not shown this one.',
    stale_since: "When it was last read, once nobody's token reads it any more.",
  },
  notification_settings: {
    '': 'What a person said of being told things; without a row nothing was said.',
    mail_address: "Where they want mail; null: at the address of the host's account.",
    confirmed_mail_address:
      'The last of their own addresses that they confirmed; mail goes there while `mail_address` is another.',
    paused: 'Nothing is told to them, and nothing kept for later.',
    resumed_at: 'What came to pass before they were told things again is not told, except in digests.',
  },
  notification_channels: {
    '': 'A place that a person has messages sent to.',
    target_encrypted: 'The URL, or the mail address of a list.',
    shown: 'The same, shortened.',
    secret_encrypted: "What a webhook's messages are signed with; null of all others.",
    personal: "It takes its owner's own messages; else it is a team's.",
    team_id:
      'Narrows what is told to a team; one that is gone, or that its owner no longer sees, narrows it to nothing.',
    time_zone: "Null: its owner's.",
    confirmed_at: 'When the mail address of a list was confirmed.',
    paused_reason: 'As its owner reads it.',
    failures: 'Final failures in a row.',
    resumed_at: 'What came to pass before it was last resumed is not told, except in digests.',
  },
  notification_subscriptions: {
    '': 'That somebody wants one kind of message by one channel: `channel`, which everybody has, or `channel_id`, which they made.',
    options: "All of the kind's options.",
    since: 'What began before that is not told, except in digests.',
  },
  mail_confirmations: {
    '': 'A link by which a mail address is confirmed; of a channel where `channel_id` says so, else of a person.',
    address_hash: 'SHA-256 of the address in lower case.',
  },
  confirmation_mails: {
    '': 'Confirmation mails of the last day, which limits count; deleting an account resets no limit.',
    address_hash: 'As of `mail_confirmations`.',
  },
  unsubscribe_tokens: {
    '': 'A link in mails of some weeks by which their person stops a kind.',
  },
  notifications: {
    '': 'One message. Its text is not kept.',
    period: 'Of a digest: `2026-W47` or `2026-11-22`.',
    finished_at: 'When it was sent, dropped or given up.',
    last_error: 'In our words, with at most 200 characters of the other side.',
    revision: 'Grows with what it is to tell: a message that was put together before is not sent.',
  },
  notification_items: {
    '': 'The pull requests in a message.',
    kind: "Of the recipient's item, where the message is to a person.",
    repetition: 'Of `stuck`: which one this is, from 0.',
  },
  notification_keys: {
    '': 'What was told, or is about to be, so that nothing is told twice.',
    due_at: 'Before that it is not told, whatever else the message tells.',
    since: 'Since when the pull request waits.',
    repetition: 'Of `stuck`: which one this is, from 0.',
  },
  notification_facts: {
    '': 'One row: which version of the facts turns were last found by.',
    since: 'What another version would have found before that is not told.',
  },
};
