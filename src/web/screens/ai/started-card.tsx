import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { ShareBar } from '../../charts/share-bar.tsx';
import { Card } from '../../kit/card.tsx';
import { formatCount } from '../../time/moment.ts';
import classes from './started-card.module.css';
import { creditRules, creditRuleWords, isFew, shareText } from './words.ts';

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
      caption={[
        `${formatCount(n)} of ${formatCount(of)} are credited to a person${of === 0 || isFew({ n: of }) ? '' : `, ${shareText(n / of)}`}`,
        since,
      ]
        .filter(Boolean)
        .join(', ')}
      foot={<span>The first rule that names exactly one person counts.</span>}
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
              <span className={count === 0 ? classes.none : undefined}>{formatCount(count)}</span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
