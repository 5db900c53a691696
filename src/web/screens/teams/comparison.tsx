import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, useRef, useState } from 'react';
import type { Team, TeamRow } from '#contract/teams.ts';
import { FEW, incomparable, reasonWords } from '#domain/change.ts';
import { counted } from '#domain/counted.ts';
import { teamNames } from '#domain/team-names.ts';
import { part } from '../../api/part.ts';
import { askConnectedRepositories } from '../../api/questions.ts';
import { useChosenNames } from '../../filters/choice-of-figures.ts';
import { Card } from '../../kit/card.tsx';
import { OldAnswerNote } from '../../kit/error-state.tsx';
import { Amount } from '../../kit/figure.tsx';
import { useScreen } from '../../kit/is-printing.ts';
import { LazyPart } from '../../kit/lazy-part.tsx';
import { Select } from '../../kit/select.tsx';
import { Late, Line } from '../../kit/skeleton.tsx';
import { useUser } from '../../session/session.tsx';
import { readableRepositories } from '../../sync/readable-repositories.ts';
import { CsvButton } from '../../table/csv-button.tsx';
import { type Column, DataTable } from '../../table/data-table.tsx';
import { rowLink } from '../../table/row-link.ts';
import { inOrder } from '../../table/sort-rows.ts';
import { TeamMark } from '../../teams/team-mark.tsx';
import { assumedBefore, assumedWords, handleWords } from '../../teams/words.ts';
import { formatCount } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import { type RawSearch, useChangeSearch, useUrlSort } from '../../url/url-state.ts';
import classes from './comparison.module.css';
import { comparisonCsv } from './comparison-csv.ts';
import { type Against, type ComparedFigure, comparedFigures, countOf, ENOUGH, incomparableIn } from './figures.ts';
import { NeutralChange } from './neutral-change.tsx';
import { askComparison } from './questions.ts';
import type { TeamsSearch } from './search.ts';
import { Weeks } from './weeks.tsx';

const SortBar = lazy(part(() => import('../../kit/sort-bar.tsx')));

interface Props {
  readonly search: TeamsSearch;
  /** All that the person sees. */
  readonly teams: readonly Team[];
}

const keyOf = ({ key, team }: TeamRow) => (team === null ? key : String(team.id));
const idOf = ({ team }: TeamRow) => team?.id ?? 0;

/** Teams side by side, each with its figures, how many things they are over and how they changed; nobody's team and everything last. */
export function Comparison({ search, teams }: Props) {
  const answer = useQuery(askComparison(search));
  const { time_zone } = useUser();
  const now = useNow();
  const narrow = useScreen('(max-width: 74.99em)', false);
  const tight = useScreen('(max-width: 79.99em)', true);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const table = useRef<HTMLDivElement>(null);
  const change = useChangeSearch();
  const rows = answer.data?.rows;
  const all = rows?.filter(({ key }) => key === 'team');
  const wanted = all?.filter((row) => search.teams.includes(idOf(row))) ?? [];
  const isNarrowed = wanted.length > 0;
  const shown = isNarrowed ? wanted : all;
  const last = rows?.filter(({ key }) => key !== 'team') ?? [];
  const chosen = (all ?? []).filter((row) => ticked.has(idOf(row))).map(idOf);
  const tick = (id: number, on: boolean) =>
    setTicked((before) => new Set(on ? [...before, id] : [...before].filter((other) => other !== id)));
  const names = teamNames(all?.flatMap(({ team }) => team ?? []) ?? []);
  const columns = columnsOf({
    tight,
    against: answer.data,
    name: (row) => <TeamName row={row} teams={teams} />,
    ...(!isNarrowed && {
      tick: (row) =>
        row.team && (
          <input
            type="checkbox"
            className={classes.tick}
            aria-label={`Choose ${names.get(row.team.id)} to compare`}
            checked={ticked.has(row.team.id)}
            onChange={({ currentTarget }) => tick(idOf(row), currentTarget.checked)}
          />
        ),
    }),
  });
  const [sort, onSort] = useUrlSort('sort', { column: 'name', descending: false }, columns);
  const assumed = assumedBefore(teams.filter(({ id }) => shown?.some((row) => idOf(row) === id)));
  const isAssumed = assumed !== null && answer.data !== undefined && Date.parse(answer.data.window.from) < assumed;
  const inTable = shown && inOrder(shown, columns, sort);
  const hasFew = [...(shown ?? []), ...last].some((row) =>
    comparedFigures.some(({ key }) => (countOf(row, key) ?? ENOUGH) < ENOUGH),
  );
  const reason = answer.data ? incomparable(answer.data.compared_with, { before: FEW }) : null;
  return (
    <>
      <Card
        title="Compare"
        caption="medians with their count; the arrow is the change, not a verdict"
        controls={
          <>
            {!isNarrowed && chosen.length > 0 && (
              <Button
                variant="subtle"
                onClick={() => {
                  table.current?.querySelector<HTMLElement>('input:checked')?.focus({ preventScroll: true });
                  setTicked(new Set());
                }}
              >
                Clear
              </Button>
            )}
            {(isNarrowed || chosen.length > 0) && (
              // One button, which keeps the focus as it turns into the way back.
              <Button
                variant="default"
                onClick={() => {
                  if (isNarrowed) setTicked(new Set(search.teams));
                  change({ teams: isNarrowed ? undefined : chosen.join(',') });
                }}
              >
                {isNarrowed
                  ? `Show all ${formatCount(all?.length ?? 0)}`
                  : chosen.length === 1
                    ? 'Show this team alone'
                    : `Compare these ${formatCount(chosen.length)}`}
              </Button>
            )}
            <LevelChoice
              teams={teams}
              parent={search.parent}
              onChange={(parent) => change({ parent, teams: undefined })}
            />
          </>
        }
        foot={
          <>
            <span>
              People in several teams count in each.{isAssumed && ` ${assumedWords(assumed, now, time_zone)}`}
            </span>
            <span className={classes.footEnd}>
              {reason !== null && `No change against the time before: ${reasonWords(reason, '', time_zone)}.`}
              {hasFew && <span>{`Grey: fewer than ${ENOUGH}.`}</span>}
              <CsvButton
                name="teams"
                columns={answer.data ? comparisonCsv(answer.data) : []}
                rows={answer.isPlaceholderData ? undefined : inTable && [...inTable, ...last]}
              />
            </span>
          </>
        }
        flush
      >
        <div ref={table} data-outdated={answer.isPlaceholderData || undefined}>
          {narrow && !(answer.data === undefined && answer.error !== null) ? (
            <>
              <OldAnswerNote title="Failed to fetch teams" answer={answer} />
              <Cards rows={inTable && [...inTable, ...last]} against={answer.data} {...{ columns, sort, onSort }} />
            </>
          ) : (
            <DataTable
              label="Teams"
              columns={columns}
              rowKey={keyOf}
              rowHeight={58}
              expectedRows={6}
              answer={{
                data: shown,
                error: answer.error,
                refetch: answer.refetch,
                isPlaceholderData: answer.isPlaceholderData,
              }}
              failure="Failed to fetch teams"
              empty={<p className={classes.none}>No team here.</p>}
              sort={sort}
              onSort={onSort}
              last={last}
            />
          )}
        </div>
      </Card>
      {inTable !== undefined && inTable.length > 0 && (
        <Weeks search={search} teams={inTable.flatMap(({ team }) => team ?? [])} />
      )}
    </>
  );
}

interface Cells {
  /** Little room: short heads. */
  readonly tight: boolean;
  /** Undefined while there are no rows yet. */
  readonly against: Against | undefined;
  readonly name: (row: TeamRow) => React.ReactNode;
  readonly tick?: (row: TeamRow) => React.ReactNode;
}

function columnsOf({ tight, against, name, tick }: Cells): Column<TeamRow>[] {
  return [
    ...(tick === undefined
      ? []
      : [{ id: 'tick', title: 'Choose', hiddenTitle: true, width: '2.75rem', screenOnly: true, cell: tick }]),
    { id: 'name', title: 'Team', value: ({ team }) => team?.name.toLowerCase() ?? null, cell: name },
    {
      id: 'people_now',
      title: 'People',
      width: tight ? '4.25rem' : '5rem',
      end: true,
      descendingFirst: true,
      tip: 'Different people who are members now.',
      value: ({ people_now }) => people_now,
      cell: ({ people_now }) => <Amount figure={people_now === null ? null : formatCount(people_now)} />,
    },
    ...comparedFigures.map(
      (figure): Column<TeamRow> => ({
        id: figure.key,
        title: tight ? figure.brief : figure.title,
        width: widths[figure.key][tight ? 1 : 0],
        end: true,
        descendingFirst: true,
        tip: figure.tip,
        value: (row) => row[figure.key].value,
        cell: (row) => <FigureCell row={row} figure={figure} against={against} />,
      }),
    ),
  ];
}

const widths: Readonly<Record<ComparedFigure['key'], readonly [wide: string, tight: string]>> = {
  opened: ['6.25rem', '4.875rem'],
  merged: ['6.25rem', '4.875rem'],
  time_to_first_review: ['9rem', '7rem'],
  time_to_merge: ['8rem', '6.75rem'],
  size: ['8rem', '6.75rem'],
  rounds: ['7.25rem', '6.25rem'],
  stuck: ['6.25rem', '4.5rem'],
  reviews_per_merged: ['9.5rem', '7rem'],
};

interface FigureProps {
  readonly row: TeamRow;
  readonly figure: ComparedFigure;
  readonly against: Against | undefined;
}

function FigureCell({ row, figure, against }: FigureProps) {
  const { value, trend } = row[figure.key];
  const n = countOf(row, figure.key);
  const few = n !== null && n < ENOUGH;
  return (
    <span className={classes.figure}>
      <span
        className={few ? classes.few : undefined}
        data-tip={few ? `Fewer than ${ENOUGH}: too few to say` : undefined}
      >
        {value === null ? <Amount figure={null} /> : <Amount {...figure.format(value)} />}
      </span>
      <span className={classes.under}>
        {n !== null && <span>n {formatCount(n)}</span>}
        <NeutralChange percent={trend} reason={against ? incomparableIn(against, row, figure.key) : null} />
      </span>
    </span>
  );
}

function TeamName({ row, teams }: { readonly row: TeamRow; readonly teams: readonly Team[] }) {
  const { key } = row;
  const connected = useQuery(askConnectedRepositories()).data;
  const repositories = connected && readableRepositories(connected).length;
  const repository = useChosenNames()[0] ?? null;
  const team = teams.find(({ id }) => id === row.team?.id);
  const parts = teams.filter(({ parent_id }) => parent_id !== null && parent_id === row.team?.id).length;
  if (row.team === null) {
    const isAll = key === 'scope';
    const all = repository ?? (repositories === undefined ? '' : counted(repositories, 'repository', 'repositories'));
    return (
      <span className={classes.name}>
        <TeamMark of={isAll ? 'scope' : 'none'} />
        <span className={classes.words}>
          <b>{isAll ? 'Everything' : 'Nobody’s team'}</b>
          <small>{isAll ? all : 'people in none, bots, agents'}</small>
        </span>
      </span>
    );
  }
  return (
    <span className={classes.name}>
      <TeamMark of={team?.source ?? (row.team.handle === null ? 'own' : 'host')} />
      <span className={classes.words}>
        <bdi>
          <Link {...rowLink} to="/team/$id" params={{ id: String(row.team.id) }} search={keepWindow}>
            {row.team.name}
          </Link>
        </bdi>
        <small title={team && handleWords(team)}>
          {team ? handleWords(team) : row.team.handle !== null && `@${row.team.handle}`}
          {parts > 0 && (
            <>
              {' · '}
              <Link
                className={classes.parts}
                to="/teams"
                search={(before: RawSearch) => ({ ...before, parent: row.team?.id, teams: undefined })}
              >
                {counted(parts, 'part')}
              </Link>
            </>
          )}
        </small>
      </span>
    </span>
  );
}

/** Period and repository go along to the team's page. */
const keepWindow = ({ period, repository }: RawSearch) => ({ period, repository });

interface LevelProps {
  readonly teams: readonly Team[];
  readonly parent: number | undefined;
  readonly onChange: (parent: string | undefined) => void;
}

/** Which level of nesting is compared; nothing where there is one alone and the address names none. */
function LevelChoice({ teams, parent, onChange }: LevelProps) {
  const parents = teams.filter(({ id }) => id === parent || teams.some(({ parent_id }) => parent_id === id));
  // No team at all: they are not there yet.
  if (teams.length === 0 || (parents.length === 0 && parent === undefined)) return null;
  const isGone = parent !== undefined && !parents.some(({ id }) => id === parent);
  const names = teamNames(parents);
  return (
    <Select
      aria-label="Which teams"
      className={classes.level}
      value={parent ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      data={[
        { value: '', label: 'Roots and own groups' },
        ...(isGone ? [{ value: String(parent), label: 'This team is gone.' }] : []),
        ...parents.map(({ id }) => ({ value: String(id), label: `Parts of ${names.get(id)}` })),
      ]}
    />
  );
}

interface CardsProps {
  /** In their order; undefined while they are not there yet. */
  readonly rows: readonly TeamRow[] | undefined;
  readonly against: Against | undefined;
  readonly columns: readonly Column<TeamRow>[];
  readonly sort: { readonly column: string; readonly descending: boolean };
  readonly onSort: (sort: { readonly column: string; readonly descending: boolean }) => void;
}

/** The comparison where a table has no room: a card for each team. */
function Cards({ rows, against, columns, sort, onSort }: CardsProps) {
  const name = columns.find(({ id }) => id === 'name');
  const tick = columns.find(({ id }) => id === 'tick');
  return (
    <>
      <div className={classes.sortBar}>
        <LazyPart>
          <SortBar columns={columns} sort={sort} onSort={onSort} />
        </LazyPart>
      </div>
      <ul className={classes.cards} aria-label="Teams">
        {rows === undefined
          ? ['a', 'b', 'c'].map((key) => (
              <li key={key} className={classes.team}>
                <Late>
                  <Line width="60%" />
                  <br />
                  <Line width="90%" />
                </Late>
              </li>
            ))
          : rows.map((row) => (
              <li key={keyOf(row)} className={`${classes.team} ${row.team === null ? classes.lastTeam : ''}`} data-tips>
                <div className={classes.teamHead}>
                  {name?.cell(row)}
                  {tick?.cell(row)}
                </div>
                <dl className={classes.pairs}>
                  {row.people_now !== null && (
                    <div>
                      <dt>People</dt>
                      <dd>{formatCount(row.people_now)}</dd>
                    </div>
                  )}
                  {comparedFigures.map((figure) => (
                    <div key={figure.key}>
                      <dt>{figure.brief}</dt>
                      <dd>
                        <FigureCell row={row} figure={figure} against={against} />
                      </dd>
                    </div>
                  ))}
                </dl>
              </li>
            ))}
      </ul>
    </>
  );
}
