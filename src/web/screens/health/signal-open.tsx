import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { listSignalPullRequests, Signal } from '#contract/health.ts';
import { counted } from '#domain/counted.ts';
import { signalRuleOf } from '#domain/signal-words.ts';
import { ownSignalKeys } from '#domain/signals.ts';
import { SizeBadge } from '../../kit/chip.tsx';
import { ErrorState } from '../../kit/error-state.tsx';
import { PullRequestIcon } from '../../kit/pull-request-state.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { useUser } from '../../session/session.tsx';
import { formatCount, formatDay } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import type { RawSearch } from '../../url/url-state.ts';
import { Checks } from './checks.tsx';
import { askSignalPullRequests } from './questions.ts';
import classes from './signal-open.module.css';
import { Sizes } from './sizes.tsx';
import type { HealthView } from './view.ts';
import { besideOf, isAtEnd, isShare, leavesOutTrivial, leftOutOf, nText, valueText } from './words.ts';

/** So many of a signal's pull requests stand in its row. */
const LATEST = 4;

export type SignalPullRequest = AnswerOf<typeof listSignalPullRequests>['items'][number];

interface Props {
  readonly signal: Signal;
  readonly view: HealthView;
}

/** What a row opens to: how its signal is counted, when it is wrong, what is left out and why, and its latest pull requests. */
export function SignalOpen({ signal, view }: Props) {
  const { settings, health, before } = view;
  const { key, previous } = signal;
  const { rule, wrongWhere } = signalRuleOf(key, settings);
  const { trivial } = settings;
  return (
    <div className={classes.open}>
      <div className={classes.told}>
        <h3>How it is counted</h3>
        <p>
          {rule}
          {leavesOutTrivial(key) &&
            ` What has fewer than ${counted(trivial.lines, 'line')} in at most ${counted(trivial.files, 'file')} is too small to be reviewed, and left out.`}
        </p>
        <h3>When it is wrong</h3>
        <p>Where {wrongWhere}</p>
        <dl className={classes.pairs}>
          <Pair label="Counted">{nText(signal)}</Pair>
          {leftOutOf(signal, settings).map(([why, count]) => (
            <Pair key={why} label={`Left out: ${why}`}>
              {formatCount(count)}
            </Pair>
          ))}
          {besideOf(signal).map(([label, value]) => (
            <Pair key={label} label={label}>
              {value}
            </Pair>
          ))}
          <Pair label={`${before.charAt(0).toUpperCase()}${before.slice(1)}`}>{valueText(key, previous)}</Pair>
        </dl>
      </div>
      <PullRequests signal={signal} view={view} />
      {key === 'big' && <Sizes sizes={health.sizes} />}
      {key === 'ci_wait' && <Checks signal={signal} />}
    </div>
  );
}

function Pair({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PullRequests({ signal: { key }, view: { search } }: Props) {
  const answer = useQuery(askSignalPullRequests(key, search, LATEST));
  const { data } = answer;
  const words = isShare(key) ? 'Its pull requests' : 'What it is measured of';
  return (
    <section className={classes.behind} aria-label={words}>
      <header>
        <h3>{words}</h3>
        {data !== undefined && data.total > 0 && (
          <>
            <span className={classes.caption}>
              latest first, {formatCount(data.items.length)} of {formatCount(data.total)}
            </span>
            <Link
              to="."
              className={classes.all}
              search={(before: RawSearch): RawSearch => ({ ...before, list: key, page: undefined })}
            >
              All {formatCount(data.total)}
            </Link>
          </>
        )}
      </header>
      {data === undefined ? (
        answer.error ? (
          <ErrorState
            title="Failed to fetch its pull requests"
            error={answer.error}
            onRetry={() => void answer.refetch()}
          />
        ) : (
          <Late>
            <div className={classes.pending}>
              <Line width="80%" />
              <Line width="70%" />
              <Line width="75%" />
            </div>
          </Late>
        )
      ) : data.total === 0 ? (
        <p className={classes.none}>No pull request has it in this window.</p>
      ) : (
        <ul className={classes.items}>
          {data.items.map((item) => (
            <Item key={`${item.repo_owner}/${item.repo_name}/${item.pr_number}`} item={item} isDated={!isAtEnd(key)} />
          ))}
        </ul>
      )}
      <p className={classes.caption}>
        Who wrote or merged them is not listed here.
        {(ownSignalKeys as readonly string[]).includes(key) &&
          ' A pull request can be marked “Not so” by its author and reviewers.'}
      </p>
    </section>
  );
}

function Item({ item, isDated }: { readonly item: SignalPullRequest; readonly isDated: boolean }) {
  const now = useNow();
  const { time_zone } = useUser();
  return (
    <li>
      <PullRequestIcon state={item.state} labelled />
      <PullRequestLink item={item} className={classes.title ?? ''} />
      <span className={classes.place}>{`${item.repo_name} #${item.pr_number}`}</span>
      <span className={classes.lines}>
        {formatCount(item.lines_changed)} <SizeBadge lines={item.lines_changed} />
      </span>
      {isDated && <span className={classes.when}>{formatDay(Date.parse(item.at), now, time_zone)}</span>}
    </li>
  );
}

/** Leads to the pull request; says the rule that it meets. */
export function PullRequestLink({ item, ...link }: { readonly item: SignalPullRequest; readonly className?: string }) {
  return (
    <Link
      to="/pr/$repoOwner/$repoName/$prNumber"
      params={{ repoOwner: item.repo_owner, repoName: item.repo_name, prNumber: String(item.pr_number) }}
      dir="auto"
      data-tip={`${item.title}\n${item.why}`}
      {...link}
    >
      {item.title}
    </Link>
  );
}
