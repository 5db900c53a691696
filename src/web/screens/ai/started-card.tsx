import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { creditRules } from '#domain/credit.ts';
import { shareWords } from '#domain/percent.ts';
import { ShareBar } from '../../charts/share-bar.tsx';
import { Card } from '../../kit/card.tsx';
import { formatCount } from '../../time/moment.ts';
import { FigureLabel } from './labels.tsx';
import classes from './started-card.module.css';
import { creditRuleWords, isFew } from './words.ts';

interface Props {
  readonly credited: AiAuthorship['credited'];
  readonly since: string | undefined;
}

/** For how many of agents' pull requests it is known who started them, and by which rule. */
export function StartedCard({ credited, since }: Props) {
  const { n, of, by } = credited;
  const most = Math.max(1, ...creditRules.map((rule) => by[rule] ?? 0));
  return (
    <Card
      title="Who started them"
      caption={
        <>
          <FigureLabel figure="credited">
            {`${formatCount(n)} of ${formatCount(of)} are credited to a person${of === 0 || isFew({ n: of }) ? '' : `, ${shareWords(n / of)}`}`}
          </FigureLabel>
          {since !== undefined && `, ${since}`}
        </>
      }
      foot={<span>The first rule that names one person counts; of trailers, whoever most commits name.</span>}
      flush
    >
      <ul className={classes.rules} aria-label="By which rule">
        {creditRules.map((rule) => {
          const [name, meaning] = creditRuleWords[rule];
          const count = by[rule] ?? 0;
          return (
            <li key={rule}>
              <b>{name}</b>
              <span className={classes.meaning}>{meaning}</span>
              <span className={classes.bar}>
                <ShareBar percent={(100 * count) / most} tone="chart-4" />
              </span>
              <span className={count === 0 ? classes.none : undefined}>
                <FigureLabel figure="credited" part={{ key: rule, name }}>
                  {formatCount(count)}
                </FigureLabel>
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
