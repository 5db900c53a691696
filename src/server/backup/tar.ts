/* Tar archives (POSIX ustar), as streams: nothing is held but the chunk at hand. Names have at most 100 bytes, files at most 8 GB. */

export interface TarEntry {
  /** With a slash at its end: a folder. */
  readonly name: string;
  /** Bytes; 0 of a folder. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

const BLOCK = 512;

/** The bytes of an archive. Content that is shorter than its size is filled with zeros, what is longer is cut. */
export async function* tarOf(entries: AsyncIterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content } of entries) {
    yield headerOf(name, size);
    let left = size;
    for await (const chunk of content) {
      if (left === 0) break;
      const part = chunk.subarray(0, left);
      left -= part.length;
      yield part;
    }
    const zeros = new Uint8Array(65_536);
    for (left += paddingOf(size); left > 0; left -= Math.min(left, zeros.length)) yield zeros.subarray(0, left);
  }
  yield new Uint8Array(2 * BLOCK);
}

/**
 * The entries of an archive, in order. Each one's content has to be read, or skipped, before the next is asked for: whoever asks for
 * the next has skipped the rest. What follows the archive's end is read, too, and not looked at.
 * @throws Error when it is cut off or is no archive
 */
export async function* entriesOf(archive: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const bytes = new Chunks(archive);
  for (;;) {
    const header = await bytes.exactly(BLOCK);
    if (header.every((byte) => byte === 0)) return bytes.drain();
    const { name, size } = parsedHeader(header);
    let left = size;
    const content = (async function* () {
      while (left > 0) {
        const chunk = await bytes.some(left);
        left -= chunk.length;
        yield chunk;
      }
    })();
    yield { name, size, content };
    for await (const _rest of content) {
      // What nobody wanted.
    }
    await bytes.exactly(paddingOf(size));
  }
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function headerOf(name: string, size: number): Uint8Array {
  if (Buffer.byteLength(name) > 100) throw new Error(`The name is too long for an archive: ${name}`);
  const header = Buffer.alloc(BLOCK);
  const folder = name.endsWith('/');
  header.write(name, 0);
  header.write(folder ? '0000700\0' : '0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(folder ? '5' : '0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function parsedHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, length: number) => header.toString('utf8', from, from + length).split('\0')[0] ?? '';
  const checksum = Number.parseInt(text(148, 8), 8);
  const blank = Buffer.from(header).fill(' ', 148, 156);
  if (text(257, 5) !== 'ustar' || checksum !== checksumOf(blank))
    throw new Error('This is no backup, or it is damaged.');
  return { name: text(0, 100), size: Number.parseInt(text(124, 12), 8) };
}

function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}

/** Reads a stream of chunks by lengths of one's own. */
class Chunks {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Between 1 and `most` bytes. */
  async some(most: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) throw new Error('The backup is cut off.');
      this.#rest = value;
    }
    const part = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  async exactly(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for (let missing = length; missing > 0; ) {
      const part = await this.some(missing);
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** Whoever made the stream may wait for its end, which comes to those alone who read it. */
  async drain(): Promise<void> {
    while ((await this.#source.next()).done !== true);
  }
}
