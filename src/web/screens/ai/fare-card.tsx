import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Switch } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { AiAuthorship } from '#contract/ai-authorship.ts';
import { authorshipWords, groupName } from '#domain/ai-authorship.ts';
import { ENOUGH_FINDINGS } from '#domain/ai-reviewers.ts';
import { isComparedWithinSizes } from '#domain/ai-within-sizes.ts';
import { percentiles } from '#domain/percentiles.ts';
import { PressableParts } from '../../explain/pressable-parts.tsx';
import { Card } from '../../kit/card.tsx';
import { Amount } from '../../kit/figure.tsx';
import { FoldButton } from '../../kit/fold-button.tsx';
import { SegmentedFilter } from '../../kit/segmented-filter.tsx';
import { usePhone } from '../../kit/use-phone.ts';
import { moveAmongFigures } from '../../people/people-figures.tsx';
import { CsvButton } from '../../table/csv-button.tsx';
import { formatCount } from '../../time/moment.ts';
import { useChangeSearch } from '../../url/url-state.ts';
import { type AuthorshipCell, authorshipCsv } from './csv.ts';
import classes from './fare-card.module.css';
import { cellOf, type FigureRow, figureRows } from './fares.ts';
import { FigureLabel, useExplain } from './labels.tsx';
import type { AiSearch } from './search.ts';
import { useAiSearch } from './use-ai-search.ts';
import { countWords, isFew, partsOf, valueText } from './words.ts';

type Group = AiAuthorship['groups'][number];

interface Column {
  readonly group: Group;
  /** Where its figures within sizes are. */
  readonly from: AiAuthorship;
  readonly isTool: boolean;
}

interface Props {
  readonly groups: AiAuthorship;
  readonly tools: AiAuthorship;
  readonly since: string | undefined;
  /** Another question is under way, these are the answers to the one before. */
  readonly isOutdated: boolean;
}

/** The tools that stand beside the groups, those with the most opened first. */
const TOOLS = 3;

/** How the pull requests of each group fare, within the same sizes unless told otherwise. */
export function FareCard({ groups, tools, since, isOutdated }: Props) {
  const search = useAiSearch();
  const change = useChangeSearch();
  const phone = usePhone();
  const { sameSize, statistic } = search;
  const [withTools, setWithTools] = useState(false);
  const columns: readonly Column[] = [
    ...groups.groups.map((group) => ({ group, from: groups, isTool: false })),
    ...tools.groups
      .filter(({ key }) => key !== 'none')
      .slice(0, phone && !withTools ? 0 : TOOLS)
      .map((group) => ({ group, from: tools, isTool: true })),
  ];
  const cell = (row: FigureRow, { group, from }: Column): AuthorshipCell => ({
    group,
    figure: row.key,
    ...cellOf(row, group, { from, peopleFrom: groups, sameSize, statistic }),
  });
  const explain = useExplain();
  const explainPart = (pressed: string) => {
    const [figure = '', told, key = ''] = pressed.split(' ');
    const by = told === 'tool' ? 'tool' : 'group';
    const name = groupName(key);
    const chosen = statistic === 'p50' ? {} : { statistic };
    return sameSize && isComparedWithinSizes(figure, key)
      ? explain(`within_sizes.${figure}`, { by, group: key, named: name, ...chosen })
      : explain(figure, { by, part: { key, name }, ...chosen });
  };
  const csv = (
    <CsvButton
      name="ai-authors"
      columns={authorshipCsv}
      rows={isOutdated ? undefined : figureRows.flatMap((row) => columns.map((column) => cell(row, column)))}
    />
  );
  return (
    <Card
      title="How they fare"
      caption={[`${statistic} or share, beside those with no trace of an agent`, since].filter(Boolean).join(', ')}
      controls={
        <>
          <Switch
            label="Within the same size"
            checked={sameSize}
            onChange={({ currentTarget }) => change({ sizes: currentTarget.checked ? undefined : 'mixed' })}
          />
          <SegmentedFilter<AiSearch['statistic']>
            label="Statistic"
            options={percentiles.map((value) => ({ value, label: value }))}
            value={statistic}
            onChange={(next) => change({ statistic: next === 'p50' ? undefined : next })}
          />
        </>
      }
      foot={
        <>
          <span className={classes.note}>
            {sameSize
              ? 'Within the same size: only sizes with five or more on each side, weighted by the smaller count; “no trace” is what these sizes come to without one. '
              : 'Of all sizes: smaller ones take less time, whoever wrote them. '}
            {`Grey: fewer than ${ENOUGH_FINDINGS}, compared with nothing. `}
            <Tried columns={columns} />
            {botsWords(groups.bots_with_trace)}
          </span>
          {csv}
        </>
      }
      flush
    >
      <PressableParts explain={explainPart}>
        {phone ? (
          <div className={classes.list}>
            <div className={classes.more}>
              <FoldButton unfolded={withTools} onToggle={setWithTools}>
                {withTools ? 'Groups alone' : 'Tools, too'}
              </FoldButton>
            </div>
            {figureRows.map((row) => (
              <section key={row.key} aria-label={authorshipWords[row.key].name}>
                <h3>
                  <Name row={row} />
                </h3>
                <dl>
                  {columns.map((column) => (
                    <div
                      key={`${column.isTool} ${column.group.key}`}
                      className={column.isTool ? classes.tool : undefined}
                    >
                      <dt>{groupName(column.group.key)}</dt>
                      <dd>
                        <Value row={row} cell={cell(row, column)} column={column} isFirst={column === columns[0]} />
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        ) : (
          <table className={classes.table}>
            <thead>
              <tr>
                <td />
                {columns.map(({ group, isTool }, at) => (
                  <th
                    key={`${isTool} ${group.key}`}
                    scope="col"
                    className={`${isTool ? classes.tool : ''} ${isTool && !columns[at - 1]?.isTool ? classes.first : ''}`}
                  >
                    {groupName(group.key)}
                    <span className={classes.opened}>{countWords(group.n_opened)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {figureRows.map((row) => (
                <tr key={row.key}>
                  <th scope="row">
                    <Name row={row} />
                  </th>
                  {columns.map((column, at) => (
                    <td
                      key={`${column.isTool} ${column.group.key}`}
                      className={column.isTool && !columns[at - 1]?.isTool ? classes.first : undefined}
                    >
                      <Value row={row} cell={cell(row, column)} column={column} isFirst={column === columns[0]} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </PressableParts>
    </Card>
  );
}

function Name({ row }: { readonly row: FigureRow }) {
  return <FigureLabel figure={row.key}>{authorshipWords[row.key].name}</FigureLabel>;
}

interface ValueProps {
  readonly row: FigureRow;
  readonly cell: AuthorshipCell;
  readonly column: Column;
  /** The tab key stops at the first of a row alone; from there the arrow keys lead on. */
  readonly isFirst: boolean;
}

/** The value with what it is over, and beside it what those without a trace come to in the same sizes; opens what it is made of. */
function Value({ row, cell, column, isFirst }: ValueProps) {
  const { value, n, comparedWith } = cell;
  const parts = partsOf(value, row.unit);
  const { name } = authorshipWords[row.key];
  const beside = comparedWith === null ? null : `no trace ${valueText(comparedWith, row.unit)}`;
  const told = [valueText(value, row.unit), countWords(n), ...(beside === null ? [] : [beside])].join(', ');
  return (
    <button
      type="button"
      className={`${classes.value} ${isFew(cell) ? classes.few : ''}`}
      data-part={`${row.key} ${column.isTool ? 'tool' : 'group'} ${column.group.key}`}
      data-on-paper
      tabIndex={isFirst ? undefined : -1}
      aria-haspopup="dialog"
      aria-label={`${name}, ${groupName(column.group.key)}: ${told}; explain`}
      onKeyDown={moveAmongFigures}
    >
      <span>
        {parts === null ? <Amount figure={null} /> : <Amount {...parts} />}
        <span className={classes.n}>{countWords(n)}</span>
      </span>
      {beside !== null && <span className={classes.beside}>{beside}</span>}
    </button>
  );
}

/** How many of each group were tried and thrown away, of how many that ended; each opens. */
function Tried({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <>
      {'Tried and thrown away within a day, of those that ended: '}
      {columns.map(({ group: { key, tried, figures }, isTool }, at) => (
        <Fragment key={`${isTool} ${key}`}>
          {at > 0 && (isTool && !columns[at - 1]?.isTool ? '; ' : ', ')}
          <FigureLabel figure="tried" by={isTool ? 'tool' : 'group'} part={{ key, name: groupName(key) }}>
            {`${groupName(key)} ${formatCount(tried)} of ${formatCount(figures.merge_rate.n)}`}
          </FigureLabel>
        </Fragment>
      ))}
      {'. The merge rate keeps them. '}
    </>
  );
}

function botsWords(traced: number): string {
  return traced === 0
    ? ''
    : `Of the bots’, ${formatCount(traced)} ${traced === 1 ? 'has' : 'have'} an agent’s trace and ${traced === 1 ? 'stays' : 'stay'} a bot’s.`;
}
