/**
 * The part of POSIX tar (ustar) that a backup needs: files with a name and a size. Any tar can read these archives.
 */
const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
/** The largest number in eleven octal digits: 8 GiB. Larger sizes are written in binary, as in GNU tar. */
const OCTAL_MAX = 8 ** 11;
const CHECKSUM = { at: 148, bytes: 8 } as const;

/** A fault of an archive, or a file that cannot be put into one. */
export class TarError extends Error {
  override readonly name = "TarError";
}

/**
 * The block before a file's bytes.
 * @throws TarError for a name that is too long.
 */
export function renderTarHead({ name, bytes, mode }: { name: string; bytes: number; mode: number }): Buffer {
  const head = Buffer.alloc(BLOCK_BYTES);
  const [prefix, base] = splitName(name);
  head.write(base, 0);
  writeOctal(head, mode, { at: 100, digits: 7 });
  writeOctal(head, 0, { at: 108, digits: 7 });
  writeOctal(head, 0, { at: 116, digits: 7 });
  if (bytes < OCTAL_MAX) writeOctal(head, bytes, { at: 124, digits: 11 });
  else {
    head[124] = 0x80;
    head.writeBigUInt64BE(BigInt(bytes), 128);
  }
  writeOctal(head, 0, { at: 136, digits: 11 });
  head.write("0", 156);
  head.write("ustar\u000000", 257);
  head.write(prefix, 345);
  head.write(`${sumOf(head).toString(8).padStart(6, "0")}\0 `, CHECKSUM.at);
  return head;
}

/** Zeros that fill the last block. */
export const renderTarPadding = (bytes: number): Buffer =>
  Buffer.alloc((BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES);

/** The end of an archive. */
export const renderTarEnd = (): Buffer => Buffer.alloc(2 * BLOCK_BYTES);

function writeOctal(head: Buffer, value: number, { at, digits }: { at: number; digits: number }): void {
  head.write(value.toString(8).padStart(digits, "0"), at);
}

/** Checksum of a header, with blanks in place of the checksum itself. */
function sumOf(head: Buffer): number {
  let sum = 0;
  for (const [at, byte] of head.entries()) {
    sum += at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.bytes ? 0x20 : byte;
  }
  return sum;
}

/** Splits a long path at a slash into a prefix of folders and the rest. */
function splitName(name: string): readonly [prefix: string, base: string] {
  if (Buffer.byteLength(name) <= NAME_BYTES) return ["", name];
  for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) {
    const [prefix, base] = [name.slice(0, at), name.slice(at + 1)];
    if (Buffer.byteLength(base) <= NAME_BYTES && Buffer.byteLength(prefix) <= PREFIX_BYTES) return [prefix, base];
  }
  throw new TarError(`${name}: this path is too long for a backup`);
}

/** Receives one file of an archive: its bytes part by part, then `end`. */
export interface FileSink {
  write(bytes: Uint8Array): void;
  end(): void;
}

/**
 * Reads an archive part by part, without holding a file in memory.
 * @param openFile is called with each file's name and size before its bytes.
 * @throws TarError when it is not a complete archive of plain files.
 */
export function unpackTar(parts: Iterable<Buffer>, openFile: (name: string, bytes: number) => FileSink): void {
  let held: Buffer = Buffer.alloc(0);
  let left = 0;
  let padding = 0;
  let sink: FileSink | null = null;
  let zeros = 0;
  for (const part of parts) {
    held = held.length === 0 ? part : Buffer.concat([held, part]);
    while (held.length > 0) {
      if (sink !== null && left > 0) {
        const taken = Math.min(left, held.length);
        sink.write(held.subarray(0, taken));
        left -= taken;
        held = held.subarray(taken);
      } else if (padding > 0) {
        const taken = Math.min(padding, held.length);
        padding -= taken;
        held = held.subarray(taken);
      } else if (held.length < BLOCK_BYTES) break;
      else {
        const head = held.subarray(0, BLOCK_BYTES);
        held = held.subarray(BLOCK_BYTES);
        if (head.every((byte) => byte === 0)) zeros += 1;
        else if (zeros > 0) throw new TarError("there is something behind the end of the archive");
        else {
          const { name, bytes } = parseTarHead(head);
          sink = openFile(name, bytes);
          left = bytes;
          padding = renderTarPadding(bytes).length;
        }
      }
      if (sink !== null && left === 0) {
        sink.end();
        sink = null;
      }
    }
  }
  if (sink !== null || padding > 0 || held.length > 0 || zeros < 2) throw new TarError("the archive has no end");
}

const readText = (head: Buffer, from: number, length: number): string => {
  const bytes = head.subarray(from, from + length);
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? length : end);
};

function parseTarHead(head: Buffer): { readonly name: string; readonly bytes: number } {
  const sum = Number.parseInt(readText(head, CHECKSUM.at, CHECKSUM.bytes), 8);
  if (sum !== sumOf(head)) throw new TarError("a head of the archive is damaged");
  const kind = String.fromCharCode(head[156] ?? 0);
  const prefix = readText(head, 345, PREFIX_BYTES);
  const name = `${prefix === "" ? "" : `${prefix}/`}${readText(head, 0, NAME_BYTES)}`;
  if (kind !== "0") throw new TarError(`${name} is no plain file`);
  const bytes = head[124] === 0x80 ? Number(head.readBigUInt64BE(128)) : Number.parseInt(readText(head, 124, 12), 8);
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new TarError(`${name}: its size is no number`);
  return { name, bytes };
}
