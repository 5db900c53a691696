import { ArrowLeftIcon } from '@primer/octicons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { signalNames, signalRuleOf } from '#domain/signal-words.ts';
import type { SignalKey } from '#domain/signals.ts';
import { useChoice, useSearchToday, useWindowWords } from '../../filters/choice-of-figures.ts';
import { Card } from '../../kit/card.tsx';
import { SizeBadge } from '../../kit/chip.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { PullRequestIcon } from '../../kit/pull-request-state.tsx';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { useUser } from '../../session/session.tsx';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { PageTurner } from '../../table/page-turner.tsx';
import { rowLink } from '../../table/row-link.ts';
import { formatCount, formatDay } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { onPage, type RawSearch } from '../../url/url-state.ts';
import { HealthFilters } from './filters.tsx';
import { askSignalPullRequests, askThresholds, PAGE_SIZE } from './questions.ts';
import { readHealthSearch } from './search.ts';
import classes from './signal-list.module.css';
import { PullRequestLink, type SignalPullRequest } from './signal-open.tsx';
import { isAtEnd, isShare, listedWords } from './words.ts';

/** All pull requests of a signal, a page at a time. */
export function SignalList({ signal }: { readonly signal: SignalKey }) {
  const search = readHealthSearch(useSearchToday());
  const navigate = useNavigate();
  const choice = useChoice();
  const words = useWindowWords('90d');
  const now = useNow();
  const { time_zone } = useUser();
  const settings = useQuery(askThresholds()).data;
  const list = useQuery(askSignalPullRequests(signal, search, PAGE_SIZE, (search.page - 1) * PAGE_SIZE));
  const { total = 0, items } = list.data ?? {};
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const from = (search.page - 1) * PAGE_SIZE;
  // An address may name a page that is no longer there: the last one is shown instead.
  const lastPage = list.data !== undefined && !list.isPlaceholderData && search.page > pages ? pages : null;
  useEffect(() => {
    if (lastPage === null) return;
    void navigate({
      to: '.',
      search: (before: RawSearch) => ({ ...before, page: lastPage === 1 ? undefined : lastPage }),
      replace: true,
    });
  }, [lastPage, navigate]);
  const columns: Column<SignalPullRequest>[] = [
    {
      id: 'title',
      title: 'Pull request',
      cell: (item) => (
        <span className={classes.title}>
          <PullRequestIcon state={item.state} labelled />
          <span className={classes.words}>
            <PullRequestLink item={item} {...rowLink} />
            <Place item={item} />
          </span>
        </span>
      ),
    },
    {
      id: 'why',
      title: 'Why',
      width: 'min(26rem, 28vw)',
      cell: (item) => <span className={classes.why}>{item.why}</span>,
    },
    {
      id: 'lines',
      title: 'Lines',
      width: '7.5rem',
      end: true,
      cell: (item) => <Lines item={item} />,
    },
    ...(isAtEnd(signal)
      ? []
      : [
          {
            id: 'at',
            title: signal === 'concentration' ? 'Last review' : 'Merged',
            width: '8.5rem',
            end: true,
            cell: (item: SignalPullRequest) => formatDay(Date.parse(item.at), now, time_zone),
          },
        ]),
  ];
  return (
    <Page
      title={signalNames[signal]}
      subtitle={
        <Link
          to="."
          search={(before: RawSearch) => ({ ...before, list: undefined, page: undefined })}
          state={onPage.state}
          className={classes.back}
        >
          <ArrowLeftIcon size={14} />
          {headings.health}
        </Link>
      }
      actions={<HealthFilters />}
    >
      <Card
        title={isShare(signal) ? 'Its pull requests' : 'What it is measured of'}
        caption={listedWords(signal, choice, words, now, time_zone)}
        foot={
          <>
            <span>
              {total > 0 &&
                lastPage === null &&
                `Showing ${formatCount(from + 1)} to ${formatCount(from + (items?.length ?? 0))} of ${formatCount(total)}. `}
              Who wrote or merged them is not listed here.
            </span>
            {pages > 1 && (
              <PageTurner
                page={Math.min(search.page, pages)}
                pages={pages}
                busy={list.isPlaceholderData}
                onTurn={(page) =>
                  void navigate({
                    to: '.',
                    search: (before: RawSearch) => ({ ...before, page: page === 1 ? undefined : page }),
                  })
                }
              />
            )}
          </>
        }
        outdated={list.isPlaceholderData}
        flush
      >
        {settings !== undefined && <p className={classes.rule}>{signalRuleOf(signal, settings).rule}</p>}
        <DataTable
          label="Pull requests"
          columns={columns}
          rowKey={(item) => `${item.repo_owner}/${item.repo_name}/${item.pr_number}`}
          rowHeight={54}
          answer={{
            data: lastPage === null ? items : undefined,
            error: list.error,
            refetch: () => list.refetch(),
            isPlaceholderData: list.isPlaceholderData,
          }}
          failure="Failed to fetch its pull requests"
          empty={<EmptyState title="No pull request has it in this window." />}
          sort={null}
          phoneRow={(item) => (
            <>
              <span className={classes.title}>
                <PullRequestIcon state={item.state} labelled />
                <PullRequestLink item={item} {...rowLink} />
              </span>
              <span className={classes.why}>{item.why}</span>
              <span className={classes.phonePlace}>
                <Place item={item} />
                <Lines item={item} />
              </span>
            </>
          )}
        />
      </Card>
    </Page>
  );
}

function Place({ item }: { readonly item: SignalPullRequest }) {
  return <span className={classes.place}>{`${item.repo_name} #${item.pr_number}`}</span>;
}

function Lines({ item }: { readonly item: SignalPullRequest }) {
  return (
    <span className={classes.lines}>
      {formatCount(item.lines_changed)} <SizeBadge lines={item.lines_changed} />
    </span>
  );
}
