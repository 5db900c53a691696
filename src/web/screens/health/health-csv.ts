import type { Signal } from '#contract/health.ts';
import { signalNames } from '#domain/signal-words.ts';
import type { CsvColumn } from '../../table/csv.ts';
import { readingText } from './words.ts';

/** The signals as they stand on the screen, a row each; shares from 0 to 1, times in hours. */
export const healthCsv: readonly CsvColumn<Signal>[] = [
  { name: 'signal', value: ({ key }) => key },
  { name: 'name', value: ({ key }) => signalNames[key] },
  { name: 'value', value: ({ value }) => value },
  { name: 'n', value: ({ n }) => n },
  { name: 'from', value: ({ window }) => window.from },
  { name: 'to', value: ({ window }) => window.to },
  { name: 'previous', value: ({ previous }) => previous },
  { name: 'last_full_week', value: ({ series }) => series.at(-1)?.value ?? null },
  { name: 'usual_from', value: ({ usual }) => usual?.from ?? null },
  { name: 'usual_to', value: ({ usual }) => usual?.to ?? null },
  { name: 'reading', value: (signal) => readingText(signal) },
  { name: 'left_out_trivial', value: ({ left_out }) => left_out.trivial },
  { name: 'left_out_dismissed', value: ({ left_out }) => left_out.dismissed },
  { name: 'left_out_unknown', value: ({ left_out }) => left_out.unknown },
  { name: 'left_out_undecided', value: ({ left_out }) => left_out.undecided },
];
