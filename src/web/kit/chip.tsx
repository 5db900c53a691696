import { AlertIcon, CheckIcon, XIcon } from '@primer/octicons-react';
import type { ReactNode } from 'react';
import { type SizeLetter, sizeLetter } from '#domain/size-letter.ts';
import { formatCount } from '../time/moment.ts';
import classes from './chip.module.css';

/** The four meanings of colour, `accent` for "this one", `outlined` for a plain property such as Draft. */
export type Meaning = 'good' | 'watch' | 'bad' | 'neutral' | 'accent' | 'outlined';

const icons: Partial<Record<Meaning, typeof CheckIcon>> = { good: CheckIcon, watch: AlertIcon, bad: XIcon };

interface ChipProps {
  readonly meaning: Meaning;
  /** Instead of the meaning's own icon. */
  readonly icon?: typeof CheckIcon;
  /** Its words, a label or a login, may be longer than a phone is wide. */
  readonly isLong?: boolean;
  readonly children: ReactNode;
}

/** A word with a meaning; good, watch and bad bring their icon, so colour never stands alone. */
export function Chip({ meaning, icon, isLong = false, children }: ChipProps) {
  const Icon = icon ?? icons[meaning];
  return (
    <span className={`${classes.chip} ${classes[meaning]} ${isLong ? classes.long : ''}`}>
      {Icon && <Icon size={12} />}
      {children}
    </span>
  );
}

const sizeMeaning: Readonly<Record<SizeLetter, 'neutral' | 'watch' | 'bad'>> = {
  XS: 'neutral',
  S: 'neutral',
  M: 'neutral',
  L: 'watch',
  XL: 'bad',
};

/** The size letter of lists by changed lines. */
export function SizeBadge({ lines }: { lines: number }) {
  const letter = sizeLetter(lines);
  return <span className={`${classes.size} ${classes[sizeMeaning[letter]]}`}>{letter}</span>;
}

/** "Page 1 of 96"-like numbers beside words, e.g. the count in a card's head: '4,772 total'. */
export function CountChip({ count, word }: { count: number; word?: string }) {
  return <Chip meaning="neutral">{word === undefined ? formatCount(count) : `${formatCount(count)} ${word}`}</Chip>;
}
