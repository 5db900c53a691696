import type { AiReviewer } from '#contract/ai-reviewers.ts';
import { THREADS_OF_PEOPLE } from '#domain/ai-reviewers.ts';
import { shareWords } from '#domain/percent.ts';
import { fates } from '#domain/reviewer-acts.ts';
import { Chart } from '../../charts/chart.tsx';
import { RampSwatch, rampTones } from '../../charts/ramp.tsx';
import { StackedBar } from '../../charts/stacked-bar.tsx';
import { PressableParts } from '../../explain/pressable-parts.tsx';
import { Card } from '../../kit/card.tsx';
import { formatCount } from '../../time/moment.ts';
import classes from './fates-card.module.css';
import { FigureLabel, useExplain } from './labels.tsx';
import { fateWords, isFew, reviewerName } from './words.ts';

interface Props {
  readonly reviewers: readonly AiReviewer[];
  readonly since: string | undefined;
}

/** What became of the findings of each reviewer, and of people's by the same rule. */
export function FatesCard({ reviewers, since }: Props) {
  const explain = useExplain();
  const people = reviewers[0]?.control.fates;
  const rows = [
    ...reviewers.map((one) => ({
      key: one.reviewer,
      name: reviewerName(one),
      fates: one.fates,
      of: { reviewer: one.reviewer, named: reviewerName(one) },
    })),
    ...(people === undefined ? [] : [{ key: '', name: 'People', fates: people, of: { named: 'People' } }]),
  ].map((row) => ({ ...row, n: fates.reduce((sum, fate) => sum + row.fates[fate], 0) }));
  const summary = rows
    .filter(({ n }) => n > 0)
    .map(
      ({ name, fates: own, n }) => `${name}: ${shareWords(own.changed / n)} of ${formatCount(n)} led to a changed line`,
    )
    .join('; ');
  return (
    <Card
      title="What became of the findings"
      caption={['at the end of each pull request; people’s findings by the same rule', since]
        .filter(Boolean)
        .join(', ')}
      flush
    >
      <Chart
        wide
        summary={summary === '' ? 'No findings' : summary}
        note={`A line can change for other reasons, for people’s findings as well: compare, don’t read alone. ${THREADS_OF_PEOPLE}`}
        heads={['Reviewer', ...fates.map((fate) => fateWords[fate]), 'Findings']}
        rows={rows.map(({ name, fates: own, n, of }) => [
          name,
          ...fates.map((fate) => (
            <FigureLabel key={fate} figure={fate} {...of}>
              {`${formatCount(own[fate])}${n === 0 ? '' : ` (${shareWords(own[fate] / n)})`}`}
            </FigureLabel>
          )),
          formatCount(n),
        ])}
      >
        <PressableParts
          explain={(pressed) => {
            const [fate, key] = pressed.split(' ');
            return explain(fate!, rows.find((row) => row.key === key)?.of);
          }}
        >
          <div className={classes.head}>
            <span>Reviewer</span>
            <span className={classes.key}>
              {fates.map((fate, at) => (
                <span key={fate}>
                  <RampSwatch tone={rampTones[at]!} />
                  {fateWords[fate]}
                </span>
              ))}
            </span>
            <span>Findings</span>
          </div>
          {rows.map(({ key, name, fates: own, n }) => (
            <div key={key} className={`${classes.row} ${key === '' ? classes.people : ''}`}>
              <span className={classes.name}>{name}</span>
              <StackedBar
                parts={fates.map((fate, at) => ({
                  key: fate,
                  tone: rampTones[at]!,
                  count: own[fate],
                  part: `${fate} ${key}`,
                }))}
              />
              <span className={isFew({ n }) ? classes.few : undefined}>
                {formatCount(n)}
                {isFew({ n }) && <small> few</small>}
              </span>
            </div>
          ))}
        </PressableParts>
      </Chart>
    </Card>
  );
}
