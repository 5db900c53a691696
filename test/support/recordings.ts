import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

const files = { 'bitcoin-core/gui': 'bitcoin-core-gui.ndjson.gz', 'rust-lang/cargo': 'rust-lang-cargo.ndjson.gz' };

/** Where the recordings of two real repositories are looked for: beside this project, unless `RECORDED_DATA` names another folder. */
export const recordingsFolder = resolve(process.env.RECORDED_DATA || join(import.meta.dirname, '../../../shared/data'));
/** Whether both are there; what reads them without says that it is skipped. */
export const isRecorded = Object.values(files).every((file) => existsSync(join(recordingsFolder, file)));

/** The pull requests of a recorded repository, as they were recorded. */
export function recordedRows<Row>(repository: keyof typeof files): Row[] {
  const lines = gunzipSync(readFileSync(join(recordingsFolder, files[repository])))
    .toString('utf8')
    .trim()
    .split('\n');
  return lines.map((line): Row => JSON.parse(line));
}
