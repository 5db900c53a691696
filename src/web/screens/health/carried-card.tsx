import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Health } from '#contract/health.ts';
import { areaThresholds, ENOUGH_PEOPLE } from '#domain/concentration.ts';
import { counted } from '#domain/counted.ts';
import { NOT_AVAILABLE } from '#domain/duration.ts';
import { percentWords } from '#domain/percent.ts';
import { signalNames, signalRuleOf } from '#domain/signal-words.ts';
import { Card, Strip, StripCell } from '../../kit/card.tsx';
import { Chip } from '../../kit/chip.tsx';
import { Amount } from '../../kit/figure.tsx';
import { FoldButton } from '../../kit/fold-button.tsx';
import { useIsPrinting } from '../../kit/is-printing.ts';
import { Late, Line } from '../../kit/skeleton.tsx';
import { shownLogin } from '../../people/person-name.tsx';
import { useUser } from '../../session/session.tsx';
import { dayOf, formatCount } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import classes from './carried-card.module.css';
import { trendDays } from './search.ts';
import { Told } from './told.tsx';
import type { HealthView } from './view.ts';
import { areasAtFirst, CARRIED, isFew, TOO_FEW } from './words.ts';

/** So many of those who could review an area are named. */
const NAMES = 3;

/** The area of files that are in no folder. */
const ROOT = '.';

const { reviewed, atRisk, could } = areaThresholds;
const RULE = `An area is the first two folders of a path, with ${reviewed} pull requests reviewed or more. It is at risk where one person gave at least ${percentWords(atRisk.share)} % of ${atRisk.reviews} reviews or more, or all of the last ${atRisk.last} pull requests. Who else could: people who merged ${could.merged} or more there and gave less than ${percentWords(could.below)} % of its reviews.`;

type Area = Health['areas'][number];

/** By how few people reviews are given, in all and in each part of the code; nobody is named who carries them. */
export function CarriedCard({ view, caption }: { readonly view: HealthView | null; readonly caption: string }) {
  const [unfolded, setUnfolded] = useState(false);
  const isPrinting = useIsPrinting();
  const now = useNow();
  const { time_zone } = useUser();
  const signal = view?.health.signals.find(({ key }) => key === 'concentration');
  if (view !== null && signal?.n === 0 && view.health.areas.length === 0) {
    return (
      <Card title={CARRIED} caption={caption} flush>
        <p className={classes.none}>No review was given in this window.</p>
      </Card>
    );
  }
  const areas = view?.health.areas ?? [];
  const first = areasAtFirst(areas);
  const shown = unfolded || isPrinting ? areas : first;
  const few = signal !== undefined && isFew(signal);
  const { repository, team, team_as } = view?.search ?? {};
  const figures: readonly { name: string; definition: string; wrong?: string; figure: string | null; of: string }[] =
    view === null || signal === undefined
      ? []
      : [
          {
            name: 'Half of the reviews',
            definition: signalRuleOf('concentration', view.settings).rule,
            wrong: signalRuleOf('concentration', view.settings).wrongWhere,
            figure: countText(signal.value),
            of: ofPeople(signal.reviewers),
          },
          {
            name: 'Most by one person',
            definition:
              'The part of the reviews that one person gave, whoever it is. Unevenness (Gini) is 0 where all gave as many.',
            figure: signal.top_share == null ? null : percentWords(signal.top_share),
            of: '%',
          },
          {
            name: 'Half of the merges',
            definition: 'The fewest people who merged at least half of what was merged in the window.',
            figure: countText(signal.merges?.half ?? null),
            of: ofPeople(signal.merges?.reviewers),
          },
          {
            name: 'Areas at risk',
            definition: RULE,
            // Where too few were active, it is not computed, and no area is at risk.
            figure:
              areas.length > 0 && areas.every(({ half }) => half === null)
                ? null
                : formatCount(areas.filter(({ at_risk }) => at_risk).length),
            of: `of ${formatCount(areas.length)}`,
          },
        ];
  return (
    <Card
      title={CARRIED}
      caption={caption}
      controls={
        view !== null && (
          <Link
            to="/trends"
            search={{
              ...{ figure: 'concentration', repository, team, team_as },
              ...trendDays(view.search, dayOf(now, time_zone)),
            }}
            aria-label={`${signalNames.concentration}, over time`}
          >
            Over time
          </Link>
        )
      }
      foot={
        areas.length > 0 && (
          <>
            <span className={classes.rule}>{RULE}</span>
            {areas.length > first.length && (
              <FoldButton unfolded={unfolded} onToggle={setUnfolded}>
                {unfolded ? 'Show fewer areas' : `All ${formatCount(areas.length)} areas`}
              </FoldButton>
            )}
          </>
        )
      }
      flush
    >
      {view === null ? (
        <Late>
          <div className={classes.pending}>
            <Line width="60%" />
          </div>
        </Late>
      ) : (
        <Strip>
          {figures.map(({ name, definition, wrong, figure, of }, at) => (
            <StripCell key={name} label={<Told name={name} definition={definition} {...(wrong && { wrong })} />}>
              <div className={few && at < 2 ? classes.few : undefined}>
                <Amount figure={figure} {...(figure !== null && { unit: of })} large />
              </div>
              <p className={classes.caption}>
                {figure === null
                  ? at === 2 && signal?.merges?.reviewers === 0
                    ? 'People merged nothing in this window.'
                    : `Fewer than ${ENOUGH_PEOPLE} people were active.`
                  : few && at < 2
                    ? TOO_FEW
                    : at === 1 && signal?.gini != null
                      ? `of ${counted(signal.n, 'review')}, unevenness ${signal.gini.toFixed(2)}`
                      : null}
              </p>
            </StripCell>
          ))}
        </Strip>
      )}
      {view !== null && areas.length === 0 ? (
        <p className={classes.none}>
          No part of the code had {counted(reviewed, 'pull request')} reviewed in this window.
        </p>
      ) : (
        shown.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <section className={classes.scroll} aria-label="Areas, line by line" tabIndex={0}>
            <table className={classes.table} aria-label="Areas">
              <thead>
                <tr>
                  {['Area', 'Reviewers', 'Half given by', 'Most by one', 'Who else could'].map((head, at) => (
                    <th key={head} scope="col" className={at > 0 && at < 4 ? classes.end : undefined}>
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.map((area) => (
                  <AreaRow key={area.area} area={area} />
                ))}
              </tbody>
            </table>
          </section>
        )
      )}
    </Card>
  );
}

function AreaRow({
  area: { area, reviewers, half, top_share, gini, at_risk, could: logins },
}: {
  readonly area: Area;
}) {
  const hasTips = gini !== null || logins.length > NAMES;
  return (
    <tr data-tips tabIndex={hasTips ? 0 : undefined}>
      <th scope="row">
        {area === ROOT ? 'files beside all folders' : <code>{area}</code>}
        {at_risk && <Chip meaning="watch">at risk</Chip>}
      </th>
      <td className={classes.end}>{formatCount(reviewers)}</td>
      <td className={classes.end}>
        {half === null ? NOT_AVAILABLE : <Amount figure={formatCount(half)} unit={half === 1 ? 'person' : 'people'} />}
      </td>
      <td className={classes.end} data-tip={gini === null ? undefined : `Unevenness ${gini.toFixed(2)}`}>
        {top_share === null ? NOT_AVAILABLE : <Amount figure={percentWords(top_share)} unit="%" />}
      </td>
      <td>{couldText(logins)}</td>
    </tr>
  );
}

function couldText(logins: readonly string[]): ReactNode {
  if (logins.length === 0) return <span className={classes.caption}>nobody</span>;
  if (logins.length <= NAMES) return logins.map(shownLogin).join(', ');
  return <span data-tip={logins.map(shownLogin).join(', ')}>{counted(logins.length, 'person', 'people')}</span>;
}

const countText = (value: number | null) => (value === null ? null : formatCount(value));
const ofPeople = (count: number | undefined) => `of ${counted(count ?? 0, 'person', 'people')}`;
