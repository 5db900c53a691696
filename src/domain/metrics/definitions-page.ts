import { TRIED_WITHIN_HOURS } from '../ai-authorship.ts';
import { BEFORE_AFTER, ENOUGH_FINDINGS, ENOUGH_OF_A_SIZE, TALKATIVE_ABOVE } from '../ai-reviewers.ts';
import { counted } from '../counted.ts';
import {
  AGENT_ANSWERS_WITHIN_HOURS,
  OVERDUE_AFTER_HOURS,
  REQUEST_CALLS_FOR_DAYS,
  REVIEW_CALLS_FOR_DAYS,
  REVIEW_CALLS_WITHIN_DAYS,
} from '../my-work.ts';
import { followUpWords } from '../reverts.ts';
import { signalNames, signalRuleOf } from '../signal-words.ts';
import { defaultHealthSettings, ENOUGH_FOR_A_SIGNAL, type SignalKey, signalKeys } from '../signals.ts';
import { type Definition, dimensionWords } from './metric.ts';
import { definitionsOfContributors } from './people.ts';
import { definitionsOfPullRequests } from './pull-request.ts';
import { definitionsOfTheTeam } from './team.ts';
import {
  FOLLOWED_WITHIN_DAYS,
  LONGEST_AI_WINDOW_DAYS,
  REAPPLIED_WITHIN_DAYS,
  REVERTED_WITHIN_DAYS,
  SMALL_FIX_BELOW_LINES,
} from './thresholds.ts';

const dimensions = Object.values(dimensionWords);
const { trivial } = defaultHealthSettings;

/** Of what signals are told, and what their rules don't say. */
const moreOfSignals: Readonly<Partial<Record<SignalKey, string>>> = {
  merged_unreviewed: 'With a comment alone it is told beside it.',
  approved_then_pushed:
    'Of those that were approved. By force pushes is told apart: the host does not say what they changed.',
  ping_pong: 'Of those reviewed.',
  long_open: 'At the end of the window; of those open and no draft then.',
  stale_approval: 'At the end of the window; of those approved then.',
  reverted: `Of those merged ${REVERTED_WITHIN_DAYS} days before the window’s days.`,
  followed_up: `A small fix has fewer than ${SMALL_FIX_BELOW_LINES} lines, and ${followUpWords.slice(0, -1).join(', ')} or ${followUpWords.at(-1)} in title or branch; of files, those of the smaller count. Of those merged ${FOLLOWED_WITHIN_DAYS} days before the window’s days.`,
  ci_wait: 'The median ([more](#waiting-for-checks)).',
};

const signalRows = signalKeys.map((key) => {
  const { rule, wrongWhere } = signalRuleOf(key, defaultHealthSettings);
  const words = [rule, moreOfSignals[key]].filter((sentence) => sentence !== undefined).join(' ');
  return `| \`${key}\`: ${signalNames[key]} | ${words} | ${wrongWhere} |`;
});

const introduction = `# Every number

What each figure means, over which time, what is left out, where it is shown and where its rule stands.
This page is made from the texts in \`src/domain/metrics/\` by \`scripts/metrics-docs.js\`; change them there. Figures with the same
**metric** are one and the same measure over other windows, or of the team and of one person; its rule is one entry of
\`src/server/metrics/catalogue.ts\`.

## What holds everywhere

- Durations are hours, unrounded until they are shown. Instants are UTC; days, weekdays and working hours are those of your time zone.
- "Last N days" begins N times 24 hours before now, that moment itself not counted, and ends now. A date later than now counts as now.
- The windows of the team and its people are those of the table unless another is chosen: a period, or from one day or instant to another,
  that one not counted. What is so now stays that of now.
- Lists of people and their averages hold people only. Bots, AI agents and deleted accounts are told apart when an account is read.
- A **review** is one that a person who is not the author submits between the opening and the end. Answers in existing threads are
  comments, not reviews. A dismissed review keeps counting, but no longer approves or asks for changes in any rate.
- A **push** is a commit or a force push by anyone. A commit dated before the opening counts as pushed at the opening.
- What cannot be known is N/A, never 0: a mean, a rate or a percentile over nothing.
- A trend compares with the equally long time just before.
- Every metric can be asked over any time, from an instant to another, that one not counted; as a whole, of each person, by day, week
  (from Monday), month or in one; and by ${dimensions.slice(0, -1).join(', ')} and ${dimensions.at(-1)}. What is a duration or a
  size has its mean, median, 75th, 90th and 95th percentile, everything the number of things that it is over.
- What is open, or stuck, is that at the end of each bucket. Of other states only now is known: before it they are N/A.

## Whose turn: the phases of a pull request

From the opening to the end a pull request is in exactly one phase, and the times in the phases add up to the whole.

| phase | whose turn | begins with |
| --- | --- | --- |
| development | the author | being a draft; a review that requests changes; a comment while it waits, or after a push that followed the approval |
| waiting | the reviewers | "ready for review"; a push, request or comment of the author; the dismissal that takes the last approval or request for changes away |
| approved | whoever merges | an approval, unless it is a draft |

An approved time that is lost again counts as waiting. What a bot or an agent reviews moves nothing.

## My work

What an open pull request is to one human: the first row that applies, and nothing where none does. Its **credited author** is its author,
or who started the agent that opened it.

| kind | when | since |
| --- | --- | --- |
| \`author\` | they are its credited author, it is in development and no draft | the phase began |
| \`merge\` | they are its credited author and it is approved | the phase began |
| \`review\` | it waits, and their review is requested | the later of the request and the phase |
| \`review_again\` | it waits, nobody asked them again, they reviewed it and do not approve it; see below | the phase began |
| \`team_review\` | it waits, a team of theirs is requested, they did not open it and have not reviewed it since | the later of the request and the phase |
| \`yours_waits\` | they are its credited author and it waits | the phase began |
| \`reviewed_waits\` | they reviewed it or are asked, did not open it, and it is no draft: every other case | the phase began |
| \`draft\` | they are its credited author and it is a draft | the phase began |

- The first five are their turn, and overdue after more than ${OVERDUE_AFTER_HOURS} hours; the others never are. On a draft only its credited author has anything.
  Bots, agents and mannequins never have an item.
- Whoever asked for changes is called back for ${REQUEST_CALLS_FOR_DAYS} days after the author acted. Any other review calls back where it was given at most ${REVIEW_CALLS_WITHIN_DAYS} days
  before the phase began, for ${REVIEW_CALLS_FOR_DAYS} days: lists with older ones are not believed.
- Was asked: the latest request that no removal took back, never before it was last made ready for review; where the host tells no request, when
  it was ready.
- An agent has ${AGENT_ANSWERS_WITHIN_HOURS} hours to answer the review of who started it; then it is their turn.
- It **waits for nobody** when it is open, no draft and waits for reviewers, no human or team is requested, and nobody is called back.
- Checks: of one name the latest counts; cancelled and stale ones do not.

## Trends

\`GET /api/trends\` follows up to six figures over time; \`GET /api/figures\` says which there are, by which moment a thing counts and what can
be asked of it. The figures are those of the dashboard: every author, every base, reviews by their pull request.

- The window goes from an instant to another, that one not counted; a date is its midnight in your time zone. Without an end it
  goes on until now, without a beginning it is 12 weeks long. At most two years, and 400 points a line.
- Points are days, weeks (from Monday) or months of your time zone, or the whole; each is named by its own first day, also where the window
  cuts it. The first and the last hold what lies within the window. One that is cut, or runs still, is not complete.
- Counts over nothing are 0, all else is N/A; each point says how many things it is over.
- A split tells a figure apart by repository, team, authorship, AI tool, size, base branch, or whether it was opened as a draft. At most eight lines,
  those with most things first, then by key; where there are more, the eighth is “Others”: the figure over all that is in no other line. A pull request with two tools is
  in both lines.
- Filters narrow by repository, team, authorship, size and labels (any of them, capitals or not).
- The last full point is compared with the mean of the four full ones before it, also of those before the window: in percent, shares in their
  own unit; gaps are left out, and with fewer than two or a mean of 0 nothing is said. Its usual range goes from the lowest to the highest of
  the 26 full ones before it, if 12 of them have a value.
- What tells [agents' pull requests beside people's](#agents-pull-requests-beside-peoples) is followed, too, of every author. So are the figures
  of the review practice (below), by their own rules of what counts; \`all_bases\` counts all branches. What was
  reverted or followed up is told of a point when its last day is ${REVERTED_WITHIN_DAYS} or ${FOLLOWED_WITHIN_DAYS} days past.
- Beside the figures stands what happened in the window, the earliest first, at most the latest 200; notes of others have the room that all else
  leaves, the latest of each of them first: when you connected a repository; when an
  [AI reviewer](#ai-reviewers), the accounts of one tool together, first acted on a pull request of another's, as far as what is chosen here is
  stored; when this installation began to count by other definitions; which thresholds an administrator changed; and
  notes, your own and everyone's. The filter by repository narrows the first two.

## Signals

Signals say something about a practice, over pull requests; none is a verdict on a person, and none is listed by person. They count the pull
requests by people, those that an AI tool took part in too, that were **merged in the window** into the default branch: the one of today, or
one that it was called while the repository was connected. Agents’ are counted where that is asked for; those of bots and deleted accounts never.

- **Lines** are the changed lines less those in generated files; where the host does not list all files, all lines. Which files are generated
  is a setting.
- **Trivial** pull requests, below ${counted(trivial.lines, 'line')} in ${counted(trivial.files, 'file')}, are left out of the signals up to “stamped”. One of no file is not
  among them: the host counts none in the largest ones either.
- A signal that somebody who took part says is not so is left out, and counted as such. So is what cannot be told: whoever merged it is
  unknown or a bot, its files are not all listed, the token may not read which branch is the default one, or it is not computed yet.
- With fewer than ${ENOUGH_FOR_A_SIGNAL} pull requests a share says too little to be read. There is no overall score.
- Administrators set the thresholds; a change tells every share by them at once, of generated files within minutes.

| signal | rule | wrong where |
| --- | --- | --- |
${signalRows.join('\n')}

## AI reviewers

\`GET /api/ai/reviewers\` tells what each AI reviewer gives, with the people beside it; \`/api/ai/reviewers/{login}\` the same by week and by
size. An AI reviewer is a tool: the accounts that the list of known automation joins are one, and what one of them opens or pushes is its
own. An agent that is not in that list, because somebody marked it, is a tool called as its account is now.

An **act** is a submitted review or an inline comment on another's pull request, from its opening to its end, and, of an account that
reviews according to that list, a comment in the conversation: reports that other automation writes there review nothing. A check is none. A **finding** is an inline comment, as an act, that opens a thread; the texts of
reviews and comments in the conversation are none.

| over | figures |
| --- | --- |
| pull requests of others that became ready for review in the window, open ones too | \`coverage\`: the share with an act; \`time_to_agent_review\`: from ready, or the latest request until then that names it, to the first act, at least 0; median and 90th percentile; \`before_human\`: the share in which the first act came before the first review, of those with both |
| pull requests that ended in the window, with an act | \`on_automation\`: the share that bots or agents opened; \`silent\`: without a finding; \`talkative\`: with more than ${TALKATIVE_ABOVE}; \`findings_per_pr\`: mean, median, 90th percentile; \`findings_per_100_lines\`: all findings over all changed lines |
| findings on these | \`acted_on\`: the share whose fate is \`changed\`; \`noise\`: the share \`ignored\` or \`dismissed_by_hand\`, or with more 👎 than 👍; \`fates\`, \`thumbs\` |

The **fate** of a finding is the first of these that holds at the end:

| fate | when |
| --- | --- |
| \`changed\` | the host calls it outdated, and anybody but its author (of a tool, any of its accounts) pushed after it and until the end, in the second of the end, too |
| \`resolved\` | a person resolved its thread |
| \`answered\` | a person other than its author answered in its thread until the end |
| \`dismissed_by_hand\` | it is hidden, for another reason than “resolved” |
| \`ignored\` | none of these |

- A suggestion that is taken over is a push like any other: which finding it took isn't told. What a bot commits in a person's name is not
  that person's.
- Hosts tell no moments of outdated, resolved, hidden and thumbs: they are kept as first read after the end, and read again after another end.
  Threads are read where an agent commented inline; for whoever marks accounts for themselves, an agent by these marks. Elsewhere, and until
  they are read, a finding that was resolved counts as answered or ignored.
  The \`noise\` of people is therefore at most what is told: it is over all their findings, as an AI reviewer's is, and nothing is left out.
  Findings whose comment was read before all this was collected have no fate, and are in no share of findings.
- **People** (\`control\`) are told by the same rules, all of them but the author as one reviewer, over the pull requests of the same
  scope, window and sizes with an act of theirs: lines change for other reasons, too. \`lift\` is the difference of \`acted_on\`, with
  ${ENOUGH_FINDINGS} findings or more on both sides.
- **The time of people beside it**, over ended pull requests of others: where it acted before the first person did, or nobody did, and where it
  didn't review. Medians, compared within sizes with ${ENOUGH_OF_A_SIZE} values or more on both sides, each weighted by the smaller count. These
  differ in more than the reviewer: read it as a hint.
- **Before and after**: the same medians over pull requests that ended in the ${BEFORE_AFTER.days} days before its first act in a repository, and in
  those from it on, where all history is imported and reaches back so far, the days are over, and each has ${BEFORE_AFTER.pullRequests} pull requests or more;
  together over all of them.
- Listed are those with an act in the window on a pull request that is asked for, by coverage. \`first_seen\` and \`last_seen\` are of the
  repositories, whatever else is asked. The window is the last 30 days unless said, and at most ${LONGEST_AI_WINDOW_DAYS} days long.
- Every figure opens, of people where no \`reviewer\` is named: \`GET /api/explain/ai.acted_on\` lists pull requests with the fates of the
  findings on them; \`ai.changed\` and the other fates, \`ai.thumbs_up\` and \`ai.thumbs_down\` are over findings, too. What is a difference
  opens to its two \`sides\`, each with its value, its number and its pull requests, of one alone where \`part\` names it: \`ai.lift\` to
  \`reviewer\` and \`people\`, \`ai.groups.time_to_merge\` and the other medians of people's time to \`reviewed_first\` and \`not_reviewed\` within
  the sizes that are compared, \`ai.before_after.time_to_merge\` and the others to \`after\` and \`before\`.
- [Trends](#trends) follow all but the time of people, of all AI reviewers together: a pull request is then reviewed by the first of them, and has
  the findings of all. Split by \`reviewer\` each has a line, and people where they are told by the same rules: what one tool opened is in no
  line of its own, and what two reviewed is in both. \`ai_lift\` is told of each point by the findings of its two sides, which make up its n: N/A, never
  0, where either has fewer than ${ENOUGH_FINDINGS}. Split by \`reviewer\` people's side is the same beside each; split otherwise, it is people's on the same
  pull requests. \`GET /api/trends/ai_lift/prs\` opens a point to its \`sides\`, of one alone where \`part\` names it.

## Agents' pull requests beside people's

\`GET /api/ai/authorship\` tells how the pull requests of people, of people with an agent's trace (\`assisted\`), of agents and, where that is
asked for, of bots fare; or those of each tool, where one with two tools counts with both. Who wrote one is told by
[traces](server.md#who-wrote-a-pull-request), which can be stripped: what is told of agents is told of at least these. A bot's stays a bot's
whatever its traces; how many have one is told beside. Those of deleted accounts are in no group.

| pull requests | figures over them |
| --- | --- |
| opened in the window | \`share_opened\`: the group's part of all groups'; \`lines_changed\`; \`changed_files\`; \`commits_by_agent\`: the median part of the listed commits that carry an agent's trace, of those with commits |
| first reviewed in it | \`time_to_first_review\` |
| merged in it | \`share_merged\`; \`time_to_merge\`; \`merged_unreviewed\`, as [above](#signals) but on every base; of agents' alone \`merged_on_own_word\` and \`independent_reviews\` |
| merged ${REVERTED_WITHIN_DAYS} and ${FOLLOWED_WITHIN_DAYS} days earlier | \`reverted\` and \`followed_up\`, as above but on every base |
| merged or closed in it | \`merge_rate\`; \`waiting_for_review_time\`; \`review_cycles\`, of those with a review; \`human_findings\`: threads at lines that people other than the author opened; \`failing_at_last_push\`: the share with a failing check, of those in which one fails or all are done; \`tried\` |

- An **own review** is one by the person who started the agent. **Independent** are reviews that count by anyone else: \`independent_reviews\` is
  their mean. **Merged on one's own word** is what has none, and no comment by another person than that one at or before the merge.
- **Tried** is what was closed within ${TRIED_WITHIN_HOURS} hours of its opening, unmerged and without a review that counts. The merge rate keeps it.
- Durations and sizes have their mean, median, 75th and 90th percentile, what is counted for each pull request its mean.
- The same is told **within sizes**: agents' pull requests are smaller or larger than people's, and that alone moves every time. Shares are then
  of those of the size.
- **Compared within sizes** are a group and those without a trace over the sizes with ${ENOUGH_OF_A_SIZE} or more of both: on each side the number of each such
  size (of durations the percentile that is chosen, else the mean or share), weighted by the smaller of the two counts. Sizes themselves, parts of all, and
  what is told of agents alone are not.
- Every figure opens, of a group or tool where \`part\` names it: \`GET /api/explain/ai.time_to_merge\`, with \`statistic\` the percentile of a duration or
  size. \`ai.within_sizes.time_to_merge\` and the others open the comparison of the \`group\` to its two sides, \`group\` and \`no_trace\`, with what both come to
  in each size and how much that weighs.
- What was opened and merged is also told by weeks from Monday, with the running one and those that the window cuts.
- **Credited** is for how many of the opened pull requests of agents it is known [who started them](server.md#who-started-it), and by which rule.
  \`ai.credited\` opens it, one rule of it, or with \`part=none\` those that are credited to nobody.
- The window is the last 30 days unless said, and at most ${LONGEST_AI_WINDOW_DAYS} days long.

## Reverts

A merged pull request reverts others that were merged before it into the same branch, by the first of these that names one: its branch is
\`revert-<number>-…\`; lines of its description are \`Reverts #<number>\` or \`Reverts owner/name#<number>\` (where it was opened before the repository's last rename
was noticed, by the name before that, too); all its commits, merges aside, say
“This reverts commit …” of what one pull request merged, or of all commits of one; its title, after one prefix in brackets or before a
colon, is \`Revert "T"\`, where T holds a number, or is the title, or the headline of the only commit, of exactly one that was merged within
180 days; its title is \`Revert #<number>\`. Titles with “partial” and \`revert:\` of conventional commits name none. \`Reapply "T"\` reverts the
revert of T. What is reapplied within ${REAPPLIED_WITHIN_DAYS} days does not count as reverted.

## Waiting for checks

The **wait** of a pull request is from the last push until the last check of that commit was done, in hours; while one runs, or without
checks, it is not known. By check it is until the last one of that name was done; by repository it is that of its pull requests. A commit is
pushed when it was committed, at the earliest when the pull request was opened. The **share** is which part of the time that pull requests
waited or were approved checks of the last push ran; each moment counts once, however many ran.

Where a token may read Actions, the workflow runs of the same pull requests tell more. A run was **run again** if an attempt followed the
first. A job is **flaky** that failed in one attempt and succeeded in a later one of the same run, and so of the same commit; its share is
over the runs in which it failed or succeeded. The **wait for reruns** is from the end of the first attempt that failed until the end of the
next that succeeded. An attempt that somebody stopped is as if it had not been. Pull requests whose runs are not all read yet are left out.
Wrong where a job was mended by something else than luck: a service that was away, a secret that was added. It says nothing about whoever
wrote the code or ran it again.

## Concentration

Over all reviews that count, whatever author and branch, and apart over merges by people: how many gave them; the fewest who gave at least
half; the part of whoever gave most; and how unevenly (Gini, 0 where all gave as many). With fewer than 3 people active in the window it is
not told. An **area** is the first two folders of changed files, told with 20 pull requests reviewed in the window or more; one in several areas
counts in each. It is **at risk** where one person gave at least 80 % of at least 20 reviews, or all reviews of the last 10 pull requests. Who could review it, too:
people who merged 3 or more there in the window and gave less than 5 % of its reviews.

## Who started an agent

By whom a pull request is, is by whom it was opened. With \`credit=started\` developers, contributors and their pages count an agent's
pull request (\`authorship\` is \`agent\`) also as authored by the person [credited with it](server.md#who-started-it), unless they opened
it themselves; what the agent's account has stays.

- It counts wherever pull requests are counted by who authored or opened them: opened, merged, open, stale and awaiting ones, sizes, durations,
  rates, rounds, areas of the code, repositories, badges, the days on which somebody opened one, and the means of the team, over everybody
  who is active so.
- What accounts did stays theirs: reviews, response times, comments, commits, when somebody was last active. Who did nothing but start agents is
  listed, and was never active.
- "Top reviewers" are of those pull requests, too, but nobody is a reviewer of their own.
- The sum over people is the sum without it and one for each agent's pull request that is credited to somebody. Figures of teams and of
  reviewers have no such choice: they [go by it](#teams), or by what people did.

## Teams

A team, imported from the host or a group of your own, narrows every figure to what is its own. **The moment decides**, not the end of the
window: what somebody did in one team stays that team's after they move. Nothing counts twice within a team, however many ways lead into
it; who is in several teams counts in each.

| what | belongs to a team when |
| --- | --- |
| a pull request, and every figure about it: opened, merged, durations, size, rounds, rates, open ones, stuck ones, active today, signals | the person whom it is credited to, else its author, was a member when it was opened |
| the same, of a team as reviewers | somebody gave it a review that counts while they were a member |
| a review, a response time, a comment, review load, review hours | whoever gave it was a member then |
| a review that is asked for now | the person asked is a member now; what is asked of a team is nobody's |
| lists of people, their number, active days, averages, one person | people who were members at any moment of the window, each with what they did themselves while they were, on any pull request; of their own pull requests those that they opened as members |
| who carries the reviews | reviews as above, over the members who were active; merges of the team's pull requests, whoever merged |

- Bots, agents and deleted accounts are in no figure of a team's people, members at the host or not. A pull request by none of the people
  and credited to nobody belongs to no team.
- Counts of pull requests and of reviews by teams that have nobody in common, and of what belongs to none of them, add up to the whole;
  counts of people don't.
- Whoever is looked at by name exists by the repositories, not by the team: what they did while they were no member is 0 or N/A.
- What one pull request is compared with is the same whichever team is looked at, and since when there is history, too. Left out are the
  things that belong to the team by the same rule, but requests to teams and what no team's figure is about, which are those of everybody.
- **Compared** are teams of one level: those that a team holds, or those that are part of none, and groups. Durations, size and rounds are
  medians over the pull requests of the means of the dashboard; reviews per merged are reviews that count on merged pull requests, for each of
  these; what was stuck before is what was when the window began. "Nobody's team" has what belongs to no team that you see.
- **What its open pull requests wait for** is whose turn they are; on those that wait for reviewers, **nobody is asked** where no person and no
  team is asked and no reviewer is called back: by a request for changes of theirs that was answered, for ${REQUEST_CALLS_FOR_DAYS} days, or by what was done within
  ${REVIEW_CALLS_WITHIN_DAYS} days after any other review but an approval that stands, for ${REVIEW_CALLS_FOR_DAYS} days.
- **Reviews across teams**: of the reviews that count on the team's pull requests, those by people who were no members then ("from outside");
  of those that members gave on pull requests by people, those on others' ("to outside"). A pull request is the team's by whom it is credited
  to, also where the team is looked at by what it reviewed. Where no team is asked about, everybody is in it, and both are 0; a trend of
  them has no lines by team.

## How far signals are right

Read by hand over two real projects: all 328 pull requests by people that bitcoin-core/gui merged into its default branch from June 2020 to
August 2026 and those then open, and rust-lang/cargo from its git history. Of each signal every pull request that has it, at most 100, was
read one by one (of \`big\` the newest of cargo): **right** where what its name says is what happened, **wrong** where it is not, **unclear** where the recording does not
tell. Each judgement and its reason lie in \`test/golden/judged-signals.csv\`; a test holds this table to the list, and where the recordings are at hand,
tests hold the code to it.
\`reverts\` is whether the pull request names the one that it takes back; “said not to” are those that do not have the signal.

| judged | read | right | unclear | wrong | what made the wrong ones wrong, and what cannot be told |
| --- | --- | --- | --- | --- | --- |
| \`merged_unreviewed\`, said not to | 30 | 30 | 0 | 0 | none of 236 has it; every eighth of the others was read: somebody reviewed each |
| \`merged_on_comment\` | 8 | 8 | 0 | 0 | what the comments say is not recorded |
| \`merged_unapproved\` | 36 | 0 | 23 | 13 | no approval stood at any of the merges; but the project agrees in words, too: 13 have a text exactly as long as “ACK” with a sha after the last push. The texts are not recorded |
| \`merged_over_objection\` | 14 | 1 | 7 | 6 | in 5 the objector came back after the answer and asked for no more, in 1 it was a passer-by; after the 7 unclear ones pushes and approvals by others followed and the objector was silent |
| \`self_merged\` | 19 | 0 | 13 | 6 | the author merged each; 6 were agreed to in words as above |
| \`pushed_by_force\` | 7 | 2 | 2 | 3 | agreed to again in words; what a force push changed is not recorded |
| \`ping_pong\` | 50 | 32 | 11 | 7 | right where something was asked for in 3 rounds or more, unclear where in 2. Approvals renewed after rebases count as rounds; 1 is three answers to the first looks of four people |
| \`big\` | 100 | 47 | 14 | 39 | judged by title and size. Moved code, removals, dependency updates, words replaced everywhere; in gui 13 of 16 are translation catalogues, which no default pattern of generated files names |
| \`long_open\` | 19 | 19 | 0 | 0 | whether one is parked is not recorded |
| \`stale_approval\` | 2 | 0 | 0 | 2 | both were approved by accounts without a part in the project: the host shows such approvals as any other |
| \`reverts\` | 30 | 30 | 0 | 0 | all 29 of cargo and the one of gui name the right one: 24 are the same lines the other way round |
| \`reverts\`, said not to | 35 | 18 | 9 | 8 | all whose title speaks of reverting; 8 quote a commit or a title in other words. Branches, descriptions and commit messages, by which most reverts are found, are not recorded |
| \`reverted\` | 22 | 21 | 0 | 1 | brought back six minutes later by a commit message; 2 are planned roll-backs |

No recorded pull request is \`stamped\` or has commits that were only pushed after its approval, and no recording has file lists or checks:
\`followed_up\`, areas and \`ci_wait\` are shown by made-up ones alone. In a project where people agree in words, read \`merged_unapproved\` and
\`self_merged\` as “no approval on the host”, and add its translation catalogues to the generated files before you look at \`big\`.
`;

/** Where a figure is shown, and which file computes it where no metric does; null: none says so. */
interface Where {
  readonly shown: readonly string[];
  readonly file: string | null;
}

/** The page of all definitions in Markdown, as it stands in docs/metrics.md. */
export function definitionsPage(where: (key: string) => Where): string {
  return [
    introduction,
    section('The team and its people', definitionsOfTheTeam, where),
    section('One person', definitionsOfContributors, where),
    section('One pull request', definitionsOfPullRequests, where),
  ].join('\n');
}

function section(
  title: string,
  definitions: Readonly<Record<string, Definition>>,
  where: (key: string) => Where,
): string {
  const rows = Object.entries(definitions).map(([key, { metric, name, definition, unit, window, leftOut }]) => {
    const { shown, file } = where(key);
    const rule = metric === undefined ? `\`${file}\`` : `metric \`${metric}\``;
    return row([`${name}<br>\`${key}\``, definition, unit, window.words, leftOut ?? 'nothing', shown.join(', '), rule]);
  });
  return [
    `## ${title}`,
    '',
    row(['figure', 'what it means', 'unit', 'window', 'left out', 'shown', 'rule']),
    row(Array(7).fill('---')),
    ...rows,
    '',
  ].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
