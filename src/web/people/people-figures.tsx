import { createContext, type KeyboardEvent, type ReactNode, useContext, useId } from 'react';
import type { FigureKey } from '#domain/metrics/definitions.ts';
import type { Definition } from '#domain/metrics/metric.ts';
import { definitionsOfTheTeam } from '#domain/metrics/team.ts';
import { PressableParts } from '../explain/pressable-parts.tsx';
import { restsOn } from '../explain/rests-on.ts';
import type { Choice } from '../filters/choice-of-figures.ts';
import type { Credited } from '../filters/credit.ts';
import type { ColumnFigure } from '../table/data-table.tsx';
import { formatCount } from '../time/moment.ts';
import classes from './people-figures.module.css';
import { shownLogin } from './person-name.tsx';

/** A cell's tooltip of two lines: what its figure means, then rating, what it is based on and window (docs/product.md#words-and-errors). */
export function figureTip<Row>({ metric, n, rating, window }: ColumnFigure<Row>, row: Row): string {
  const rated = rating?.(row) ?? null;
  return tipOf(
    inWindow(definitionsOfTheTeam[metric], window),
    rated,
    n === undefined ? null : countedFor(definitionsOfTheTeam[metric], n(row)),
  );
}

/** What a figure means over a chosen window, in words; undefined is its own. What is so now has none to choose. */
export function inWindow(figure: Definition, words: string | undefined): Definition {
  return words === undefined || !figure.window.isChoice ? figure : { ...figure, window: { ...figure.window, words } };
}

/** A tooltip of two lines: what a figure means, then what there is to say of it and its window. */
export function tipOf({ definition, window }: Definition, ...about: readonly (string | null)[]): string {
  return `${definition}\n${[...about, window.words].filter((words) => words !== null).join(' · ')}`;
}

/** What a figure is based on: "3 pull requests". */
export function countedFor(figure: Definition, count: number): string {
  return restsOn(figure, count, formatCount(count));
}

/** The id of the word that ends each figure's name. */
const Word = createContext('');

interface Props {
  /** What the people's figures are narrowed to, and whose agents' pull requests are. */
  readonly chosen: Choice & Credited;
  readonly children: ReactNode;
}

/** A table or list of people whose figures explain themselves when they are pressed, all in one popover. */
export function PeopleFigures({ chosen, children }: Props) {
  const word = useId();
  const explain = (part: string) => {
    const [metric = '', username = ''] = part.split(' ');
    return { metric, username, named: shownLogin(username), ...chosen };
  };
  return (
    <Word value={word}>
      <PressableParts explain={explain}>
        {children}
        <span id={word} hidden>
          explain
        </span>
      </PressableParts>
    </Word>
  );
}

/** What a drawing in `PeopleFigures` carries as the `data-part` of a person's figure. */
export function partOf(figure: FigureKey, username: string): string {
  return `${figure} ${username}`;
}

interface FigureProps {
  readonly of: FigureKey;
  /** The login. */
  readonly whose: string;
  /** The id of the figure's label, e.g. of the column's head, unless the figure says its name. */
  readonly labelId?: string;
  readonly tip: string;
  /** The first of its row is where the tab key stops; from there the arrow keys lead on. */
  readonly first: boolean;
  /** Takes the room before the figure. */
  readonly bar?: ReactNode;
  readonly children: ReactNode;
}

/** A figure of a person in `PeopleFigures`: a quiet button above the link of its row. */
export function PersonFigure({ of, whose, labelId = '', tip, first, bar, children }: FigureProps) {
  const id = useId();
  const word = useContext(Word);
  return (
    <button
      type="button"
      id={id}
      className={`${classes.figure} ${bar === undefined ? '' : classes.withBar}`}
      data-part={partOf(of, whose)}
      data-on-paper
      data-tip={tip}
      tabIndex={first ? undefined : -1}
      aria-haspopup="dialog"
      aria-labelledby={`${labelId} ${id} ${word}`.trim()}
      onKeyDown={moveAmongFigures}
    >
      {bar}
      {children}
    </button>
  );
}

/** The keys of figures that are buttons: left, right, Home and End stay in the row; up and down lead to the nearest figure of another. */
export function moveAmongFigures(event: KeyboardEvent<HTMLButtonElement>) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const next = nextOf(event.currentTarget, event.key);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function nextOf(from: HTMLElement, key: string): HTMLElement | undefined {
  const row = figuresIn(from.closest('tr, li'));
  const at = row.indexOf(from);
  if (key === 'ArrowLeft') return row[at - 1];
  if (key === 'ArrowRight') return row[at + 1];
  if (key === 'Home') return row[0];
  if (key === 'End') return row.at(-1);
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const { x, y } = middleOf(from);
  const way = key === 'ArrowDown' ? 1 : -1;
  let nearest: { readonly figure: HTMLElement; readonly far: number } | undefined;
  for (const figure of figuresIn(from.closest('table, ul'))) {
    const middle = middleOf(figure);
    const down = way * (middle.y - y);
    const far = ASIDE * down + Math.abs(middle.x - x);
    if (down > LEVEL && (nearest === undefined || far < nearest.far)) nearest = { figure, far };
  }
  return nearest?.figure;
}

/** Pixels by which figures of one line may stand apart. */
const LEVEL = 8;
/** The next line is nearer than one that lies straight below it. */
const ASIDE = 10;

function figuresIn(box: Element | null): HTMLElement[] {
  return [...(box?.querySelectorAll<HTMLElement>('button[data-part]') ?? [])];
}

function middleOf(element: HTMLElement): { x: number; y: number } {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}
