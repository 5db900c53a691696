import { useQuery } from '@tanstack/react-query';
import { Card, Panel } from '../../kit/card.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ErrorState, OldAnswerNote } from '../../kit/error-state.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import classes from './ai.module.css';
import { FareCard } from './fare-card.tsx';
import { hasTrace } from './fares.ts';
import { useSince } from './labels.tsx';
import { NobodyKnownCard } from './nobody-known-card.tsx';
import { askAuthorship } from './questions.ts';
import cards from './reviewer-card.module.css';
import { ShareCard } from './share-card.tsx';
import { StartedCard } from './started-card.tsx';
import { useAiSearch } from './use-ai-search.ts';
import { FAILED, NO_TRACE } from './words.ts';

const titles = ['Share of pull requests', 'How they fare', 'Who started them'] as const;

/** How agents' pull requests fare beside those without a trace of one, and who stands behind them. */
export function AuthorsTab() {
  const search = useAiSearch();
  const groups = useQuery(askAuthorship(search));
  const tools = useQuery(askAuthorship(search, 'tool'));
  const since = useSince();
  const retry = () => {
    void groups.refetch();
    void tools.refetch();
  };
  const failed = [groups, tools].find(({ data, error }) => data === undefined && error !== null);
  if (failed !== undefined)
    return (
      <div className={classes.stack}>
        <Panel label="Authors">
          <ErrorState title={FAILED} error={failed.error} onRetry={retry} />
        </Panel>
      </div>
    );
  if (groups.data === undefined || tools.data === undefined)
    return (
      <div className={classes.stack} aria-busy="true">
        {titles.map((title) => (
          <Card key={title} title={title}>
            <Late>
              <div className={cards.pending}>
                {['80%', '55%', '70%', '60%'].map((width) => (
                  <Line key={width} width={width} />
                ))}
              </div>
            </Late>
          </Card>
        ))}
      </div>
    );
  const isOutdated = groups.isPlaceholderData || tools.isPlaceholderData;
  const faded = { 'data-outdated': isOutdated || undefined };
  const old = (
    <OldAnswerNote title={FAILED} answer={{ data: groups.data, error: groups.error ?? tools.error, refetch: retry }} />
  );
  if (!hasTrace(groups.data))
    return (
      <div className={classes.stack} {...faded}>
        {old}
        <Panel label="Authors">
          <EmptyState title={NO_TRACE} />
        </Panel>
      </div>
    );
  return (
    <div className={classes.stack} {...faded}>
      {old}
      <ShareCard groups={groups.data} tools={tools.data} since={since} />
      <FareCard groups={groups.data} tools={tools.data} since={since} isOutdated={isOutdated} />
      <div className={classes.pair}>
        <StartedCard credited={groups.data.credited} since={since} />
        <NobodyKnownCard credited={groups.data.credited} />
      </div>
    </div>
  );
}
