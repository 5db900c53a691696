import { Button } from '@mantine/core';
import { DownloadIcon } from '@primer/octicons-react';
import { part, showFailedPart } from '../api/part.ts';
import { useUser } from '../session/session.tsx';
import { dayOf } from '../time/moment.ts';
import { useNow } from '../time/now.ts';
import type { CsvColumn } from './csv.ts';

const loadCsv = part(() => import('./csv.ts'));

interface Props<Row> {
  /** The file becomes `{name}_{yyyy-MM-dd}.csv`. */
  readonly name: string;
  readonly columns: readonly CsvColumn<Row>[];
  /** Undefined while they are not there yet. */
  readonly rows: readonly Row[] | undefined;
}

/** Downloads the rows that it is given, in their order: those of a table as it is filtered and sorted. */
export function CsvButton<Row>({ name, columns, rows }: Props<Row>) {
  const now = useNow();
  const { time_zone } = useUser();
  const none = rows === undefined || rows.length === 0;
  const save = async () => {
    const { csvOf, download } = await loadCsv();
    download(`${name}_${dayOf(now, time_zone)}.csv`, csvOf(columns, rows ?? []), 'text/csv');
  };
  return (
    <Button
      variant="default"
      leftSection={<DownloadIcon size={14} />}
      {...(none && { 'aria-disabled': true, 'data-disabled': true, 'data-tip': 'There are no rows to download.' })}
      onClick={() => none || void save().catch(showFailedPart)}
    >
      Download CSV
    </Button>
  );
}
