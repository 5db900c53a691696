import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { COUNTING_LINES } from '#domain/signal-words.ts';
import type { SignalKey } from '#domain/signals.ts';
import { askConnectedRepositories } from '../../api/questions.ts';
import { useChosenNames, useSearchToday, useWindowWords } from '../../filters/choice-of-figures.ts';
import { Banner } from '../../kit/banner.tsx';
import { Card, Panel } from '../../kit/card.tsx';
import { ErrorState, OldAnswerNote } from '../../kit/error-state.tsx';
import { usePhone } from '../../kit/use-phone.ts';
import { Page } from '../../layout/page.tsx';
import { headings } from '../../layout/pages.ts';
import { ConnectFirst } from '../../sync/connect-first.tsx';
import { ImportNotice } from '../../sync/import-notice.tsx';
import { SyncMessages } from '../../sync/sync-messages.tsx';
import { CsvButton } from '../../table/csv-button.tsx';
import { onPage, type RawSearch } from '../../url/url-state.ts';
import { CarriedCard } from './carried-card.tsx';
import { HealthFilters } from './filters.tsx';
import classes from './health.module.css';
import { healthCsv } from './health-csv.ts';
import { askHealth, askThresholds } from './questions.ts';
import { readHealthSearch } from './search.ts';
import { SignalCard } from './signal-card.tsx';
import { SignalList } from './signal-list.tsx';
import type { HealthView } from './view.ts';
import { CARRIED, NOTHING_MERGED, populationWords, questions } from './words.ts';

/** Signals of the review practice in four questions (docs/product.md#review-health). */
export function HealthScreen() {
  const search = readHealthSearch(useSearchToday());
  return search.list === undefined ? <Signals /> : <SignalList signal={search.list} />;
}

function Signals() {
  const search = readHealthSearch(useSearchToday());
  const words = useWindowWords('90d');
  const names = useChosenNames();
  const health = useQuery(askHealth(search));
  const settings = useQuery(askThresholds());
  const nothingConnected = useQuery(askConnectedRepositories()).data?.length === 0;
  const onToggle = useToggle();
  const phone = usePhone();
  const view: HealthView | null =
    health.data === undefined || settings.data === undefined
      ? null
      : {
          health: health.data,
          settings: settings.data,
          search,
          window: words.alone,
          before: words.before,
          onToggle,
        };
  const failed = [health, settings].find(({ data, error }) => data === undefined && error !== null);
  const old = [health, settings].find(({ error }) => error !== null) ?? health;
  const retry = () => {
    if (health.data === undefined) void health.refetch();
    if (settings.data === undefined) void settings.refetch();
  };
  const csv = (
    <CsvButton
      name="review-health"
      columns={healthCsv}
      rows={health.isPlaceholderData ? undefined : health.data?.signals}
    />
  );
  return (
    <Page
      title={headings.health}
      subtitle={['Signals about the practice; none is a verdict on a person', ...names].join('. ')}
      actions={
        <>
          <HealthFilters />
          {!phone && csv}
        </>
      }
    >
      <SyncMessages />
      <ImportNotice />
      {settings.data?.counting && <Banner meaning="note">{COUNTING_LINES}</Banner>}
      {nothingConnected ? (
        <Panel label="Signals">
          <ConnectFirst title={NOTHING_MERGED}>{null}</ConnectFirst>
        </Panel>
      ) : failed !== undefined ? (
        [...questions.map(({ title }) => title), CARRIED].map((title) => (
          <Card key={title} title={title}>
            <ErrorState title="Failed to fetch review health" error={failed.error} onRetry={retry} />
          </Card>
        ))
      ) : (
        <div className={classes.cards} aria-busy={view === null} data-outdated={health.isPlaceholderData || undefined}>
          <OldAnswerNote title="Failed to fetch review health" answer={old} />
          {questions.map(({ title, keys }, at) => (
            <SignalCard
              key={title}
              title={title}
              keys={keys}
              view={view}
              {...(at === 0 && { caption: populationWords(search, words) })}
            />
          ))}
          <CarriedCard view={view} caption={`reviews ${words.of}, whatever author and branch`} />
          {phone && csv}
        </div>
      )}
    </Page>
  );
}

/** Opens a row or closes it; which are open stands in the address. */
function useToggle() {
  const navigate = useNavigate();
  return (key: SignalKey) =>
    void navigate({
      to: '.',
      search: (before: RawSearch): RawSearch => {
        const { open } = readHealthSearch(before);
        const next = open.includes(key) ? open.filter((other) => other !== key) : [...open, key];
        return { ...before, open: next.length === 0 ? undefined : next.join(',') };
      },
      ...onPage,
    });
}
