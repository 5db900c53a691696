import { VisuallyHidden } from '@mantine/core';
import { ArrowDownIcon, ArrowUpIcon, ChevronDownIcon, ChevronRightIcon } from '@primer/octicons-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useRef } from 'react';
import type { Signal } from '#contract/health.ts';
import { durationParts } from '#domain/duration.ts';
import { percentWords } from '#domain/percent.ts';
import { signalNames } from '#domain/signal-words.ts';
import type { SignalKey } from '#domain/signals.ts';
import { USUAL } from '#domain/trends.ts';
import { Card } from '../../kit/card.tsx';
import { Amount } from '../../kit/figure.tsx';
import { useScreen } from '../../kit/is-printing.ts';
import { Late, Line } from '../../kit/skeleton.tsx';
import { usePhone } from '../../kit/use-phone.ts';
import { useUser } from '../../session/session.tsx';
import { formatMean } from '../../time/moment.ts';
import { useNow } from '../../time/now.ts';
import classes from './signal-card.module.css';
import { SignalLine } from './signal-line.tsx';
import { SignalOpen } from './signal-open.tsx';
import { SignalName } from './told.tsx';
import type { HealthView } from './view.ts';
import {
  clauseOf,
  isFew,
  isNothingMerged,
  isShare,
  movedWords,
  NOTHING_MERGED,
  nText,
  readingText,
  valueText,
  whyNothing,
} from './words.ts';

const allColumns = [
  { id: 'nameColumn', head: 'Signal' },
  { id: 'valueColumn', head: 'Value', isEnd: true },
  { id: 'nColumn', head: 'n', isEnd: true },
  { id: 'lineColumn', head: '12 weeks', tip: 'The last 12 full weeks; a press on the line shows more of them' },
  {
    id: 'usualColumn',
    head: 'Usual range',
    tip: `The lowest and the highest of the ${USUAL.buckets} weeks before the last full one`,
    isEnd: true,
    isWide: true,
  },
  { id: 'readingColumn', head: 'Reading', tip: 'The last full week beside the usual range' },
  { id: 'caretColumn', head: null },
] as const;

/** Those that the page is wide enough for. */
function useColumns() {
  const wide = useScreen('(min-width: 75em)', true);
  return allColumns.filter((column) => wide || !('isWide' in column));
}

interface CardProps {
  readonly title: string;
  readonly caption?: string;
  readonly keys: readonly SignalKey[];
  /** Null while it is not there yet. */
  readonly view: HealthView | null;
}

/** The signals that answer one question, a row each, which opens in place. */
export function SignalCard({ title, caption, keys, view }: CardProps) {
  const phone = usePhone();
  const columns = useColumns();
  const signals = view?.health.signals.filter(({ key }) => keys.includes(key)) ?? null;
  // Those that were merged earlier say themselves when.
  const valueHead = signals?.some(({ window }) => window.to !== view?.health.window.to) ? 'Share' : view?.window;
  const isEmpty = signals !== null && isNothingMerged(signals);
  const body = isEmpty ? <p className={classes.empty}>{NOTHING_MERGED}</p> : null;
  return (
    <Card title={title} caption={caption} flush>
      {phone ? (
        (body ?? (
          <ul aria-label={title}>
            {signals === null || view === null
              ? keys.map((key) => (
                  <li key={key} className={`${classes.phoneRow} ${classes.phoneLoading}`}>
                    <Late>
                      <Line width="60%" />
                    </Late>
                  </li>
                ))
              : signals.map((signal) => <PhoneRow key={signal.key} signal={signal} view={view} />)}
          </ul>
        ))
      ) : (
        <>
          <table className={classes.table} aria-label={title}>
            <colgroup>
              {columns.map(({ id }) => (
                <col key={id} className={classes[id]} />
              ))}
            </colgroup>
            <thead>
              <tr>
                {columns.map(({ id, head, ...column }) => (
                  <th
                    key={id}
                    scope="col"
                    className={`${classes.head} ${head === 'Value' ? classes.window : ''} ${'isEnd' in column ? classes.end : ''}`}
                    {...('tip' in column && { 'data-tip': column.tip, tabIndex: 0 })}
                  >
                    {head === 'Value' ? (valueHead ?? head) : (head ?? <VisuallyHidden>Open</VisuallyHidden>)}
                  </th>
                ))}
              </tr>
            </thead>
            {!isEmpty &&
              (signals === null || view === null ? (
                <tbody>
                  {keys.map((key) => (
                    <tr key={key} className={classes.row}>
                      <td colSpan={columns.length} className={classes.cell}>
                        <Late>
                          <Line width={`${40 + ((key.length * 7) % 30)}%`} />
                        </Late>
                      </td>
                    </tr>
                  ))}
                </tbody>
              ) : (
                signals.map((signal) => <Row key={signal.key} signal={signal} view={view} />)
              ))}
          </table>
          {body}
        </>
      )}
    </Card>
  );
}

interface RowProps {
  readonly signal: Signal;
  readonly view: HealthView;
}

/** How a row opens and closes: its caret by keyboard, a press anywhere in it, and Escape, which gives the focus back to the caret. */
function useOpening({ signal: { key }, view: { search, onToggle } }: RowProps) {
  const id = useId();
  const caret = useRef<HTMLButtonElement>(null);
  const isOpen = search.open.includes(key);
  const Icon = isOpen ? ChevronDownIcon : ChevronRightIcon;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event;
    const inPopover =
      target instanceof Element && target.closest('[role="dialog"], [aria-haspopup][aria-expanded="true"]');
    if (event.key !== 'Escape' || !isOpen || inPopover) return;
    event.stopPropagation();
    onToggle(key);
    caret.current?.focus();
  };
  const onClick = ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    // What a popover holds is no part of the row, though its events come by here.
    const isElsewhere = target instanceof Element && (!currentTarget.contains(target) || target.closest('a, button'));
    if (!isElsewhere && window.getSelection()?.isCollapsed !== false) onToggle(key);
  };
  const button = (
    <button
      ref={caret}
      type="button"
      className={classes.caret}
      aria-expanded={isOpen}
      aria-controls={isOpen ? id : undefined}
      aria-label={`${signalNames[key]}: how it is counted, and its pull requests`}
      onClick={() => onToggle(key)}
    >
      <Icon size={16} />
    </button>
  );
  return { id, isOpen, button, onKeyDown, onClick };
}

function Row({ signal, view }: RowProps) {
  const { id, isOpen, button, onKeyDown, onClick } = useOpening({ signal, view });
  const columns = useColumns();
  const isWide = columns.length === allColumns.length;
  return (
    <tbody onKeyDown={onKeyDown} className={isOpen ? classes.opened : undefined}>
      <tr className={classes.row} onClick={onClick} data-tips>
        <th scope="row" className={classes.cell}>
          <span className={classes.name}>
            <SignalName signal={signal.key} settings={view.settings} />
          </span>
          <Clause signal={signal} view={view} />
        </th>
        <td className={`${classes.cell} ${classes.end}`}>
          <Value signal={signal} />
        </td>
        <td className={`${classes.cell} ${classes.end} ${classes.n}`}>{nText(signal)}</td>
        {signal.n === 0 ? (
          <td colSpan={isWide ? 3 : 2} className={`${classes.cell} ${classes.nothing}`}>
            {whyNothing(signal, view.settings)}
          </td>
        ) : (
          <>
            <td className={classes.cell}>
              <SignalLine signal={signal} search={view.search} />
            </td>
            {isWide && <td className={`${classes.cell} ${classes.end} ${classes.usual}`}>{usualText(signal)}</td>}
            <td className={classes.cell}>
              <Reading signal={signal} />
            </td>
          </>
        )}
        <td className={classes.cell}>{button}</td>
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={columns.length} className={classes.openCell}>
            <SignalOpen signal={signal} view={view} />
          </td>
        </tr>
      )}
    </tbody>
  );
}

function PhoneRow({ signal, view }: RowProps) {
  const { id, isOpen, button, onKeyDown, onClick } = useOpening({ signal, view });
  return (
    <li className={`${classes.phoneRow} ${isOpen ? classes.opened : ''}`} onKeyDown={onKeyDown}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: by keyboard its caret does the same */}
      <div className={classes.phoneClosed} onClick={onClick} data-tips>
        <div>
          <span className={classes.name}>
            <SignalName signal={signal.key} settings={view.settings} />
          </span>
          <Clause signal={signal} view={view} />
        </div>
        <div className={classes.phoneValue}>
          <Value signal={signal} />
          <span className={classes.n}>{nText(signal)}</span>
        </div>
        {button}
        {signal.n === 0 ? (
          <p className={`${classes.phoneLine} ${classes.nothing}`}>{whyNothing(signal, view.settings)}</p>
        ) : (
          <div className={classes.phoneLine}>
            <SignalLine signal={signal} search={view.search} />
            <Reading signal={signal} />
          </div>
        )}
      </div>
      {isOpen && (
        <div id={id}>
          <SignalOpen signal={signal} view={view} />
        </div>
      )}
    </li>
  );
}

function Clause({ signal, view: { health, settings, search } }: RowProps) {
  const now = useNow();
  const { time_zone } = useUser();
  const moved = movedWords(signal.key, search, now, time_zone);
  const clause = clauseOf(signal, health, settings);
  return <p className={classes.clause}>{moved === null ? clause : `${moved}; ${clause}`}</p>;
}

/** The value with its unit; over few it is grey, and never coloured. */
function Value({ signal }: { readonly signal: Signal }) {
  return <span className={`${classes.value} ${isFew(signal) ? classes.few : ''}`}>{amountOf(signal)}</span>;
}

function amountOf({ key, value }: Signal): ReactNode {
  if (value === null) return <Amount figure={null} />;
  if (isShare(key)) return <Amount figure={percentWords(value)} unit="%" />;
  if (key === 'ci_wait') return <Amount {...(durationParts(value) ?? { figure: null })} />;
  return <Amount figure={formatMean(value)} unit="each" />;
}

/** The usual range, with the unit of shares once; one value where both ends read the same. */
function usualText({ key, usual }: Signal): string {
  if (usual === null) return '';
  const [from, to] = [usual.from, usual.to].map((end) => (isShare(key) ? percentWords(end) : valueText(key, end)));
  return `${from === to ? from : `${from} to ${to}`}${isShare(key) ? ' %' : ''}`;
}

function Reading({ signal }: { readonly signal: Signal }) {
  const text = readingText(signal);
  const Arrow = text.startsWith('Higher') ? ArrowUpIcon : text.startsWith('Lower') ? ArrowDownIcon : null;
  const last = signal.series.at(-1);
  const tip = last && `Last full week: ${valueText(signal.key, last.value)}, n ${last.n}`;
  return (
    <span
      className={`${classes.reading} ${Arrow === null ? '' : classes.unusual} ${isFew(signal) ? classes.few : ''}`}
      data-tip={tip}
    >
      {Arrow && <Arrow size={12} />}
      {text}
    </span>
  );
}
