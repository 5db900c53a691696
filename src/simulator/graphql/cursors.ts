/**
 * Cursors of ordered connections, as the host makes them: base64 of `cursor:v2:` and a MessagePack array of the sort value and the id.
 * A cursor says "after this value", not "after the n-th row": rows that move while someone pages don't shift the others.
 */
export type CursorKey = readonly [value: string | number, id: number];

const MARK = 'cursor:v2:';

function pack(value: string | number): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    const head = text.length < 32 ? [0xa0 | text.length] : [0xd9, text.length];
    return Buffer.concat([Buffer.from(head), text]);
  }
  if (value < 128) return Buffer.from([value]);
  const bytes = Buffer.alloc(9);
  bytes[0] = 0xcf;
  bytes.writeBigUInt64BE(BigInt(value), 1);
  return bytes;
}

export function encodeCursor(key: CursorKey): string {
  return Buffer.concat([Buffer.from(MARK), Buffer.from([0x92]), pack(key[0]), pack(key[1])]).toString('base64');
}

/** The key in a cursor, or null for a text that is none. */
export function decodeCursor(cursor: string): CursorKey | null {
  const bytes = Buffer.from(cursor, 'base64');
  if (bytes.subarray(0, MARK.length).toString() !== MARK || bytes[MARK.length] !== 0x92) return null;
  let at = MARK.length + 1;
  const read = (): string | number | null => {
    const head = bytes[at];
    if (head === undefined) return null;
    at += 1;
    if (head < 128) return head;
    if (head === 0xcf && at + 8 <= bytes.length) {
      at += 8;
      return Number(bytes.readBigUInt64BE(at - 8));
    }
    const length = head === 0xd9 ? bytes[at] : (head & 0xe0) === 0xa0 ? head & 0x1f : undefined;
    if (length === undefined) return null;
    if (head === 0xd9) at += 1;
    at += length;
    return bytes.subarray(at - length, at).toString();
  };
  const value = read();
  const id = read();
  return value === null || typeof id !== 'number' ? null : [value, id];
}
