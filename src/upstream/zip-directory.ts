/**
 * Reads the directory of a ZIP archive. The libraries that read ZIP in memory verify no checksum and unpack on the
 * thread that serves buyers. Format: PKWARE APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
 */
export interface ZipMember {
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc32: number;
  readonly packed_bytes: number;
  readonly bytes: number;
  /** Offset of its own header in the file; the data follows the header, see `findData`. */
  readonly header_at: number;
}

export const ZIP_STORED = 0;
const DEFLATED = 8;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
export const LOCAL_BYTES = 30;
const COMMENT_BYTES_MAX = 65_535;
/** Bit 0 of the flags. */
const ENCRYPTED = 1;
/** Value of a number that did not fit and is in a ZIP64 field instead. */
const ZIP64 = 0xffffffff;
const MEMBERS_MAX = 10_000;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Offset of the end record, which is searched from the end, because a comment may follow it. */
function findEnd(view: DataView): number | undefined {
  const first = Math.max(0, view.byteLength - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = view.byteLength - END_BYTES; at >= first; at -= 1) {
    if (view.getUint32(at, true) === END && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength)
      return at;
  }
  return undefined;
}

/** The tail of a file, or all of it: its offset in the file, and its bytes. */
interface Tail {
  readonly at: number;
  readonly bytes: Uint8Array;
}

const DAMAGED = "the ZIP's directory is damaged";

/** Reads the entry at an offset of the tail; a text is the reason against its use. `start`: offset of the archive. */
function readEntry(tail: Tail, at: number, start: number): { member: ZipMember; next: number } | string {
  const { bytes } = tail;
  const view = viewOf(bytes);
  if (at < 0 || at + ENTRY_BYTES > bytes.length || view.getUint32(at, true) !== ENTRY) return DAMAGED;
  const u16 = (offset: number) => view.getUint16(at + offset, true);
  const u32 = (offset: number) => view.getUint32(at + offset, true);
  const [packed_bytes, size, local] = [u32(20), u32(24), u32(42)];
  if ([packed_bytes, size, local].includes(ZIP64)) return "the archive is in the ZIP64 format";
  if ((u16(8) & ENCRYPTED) !== 0) return "the archive is encrypted";
  const method = u16(10);
  if (method !== ZIP_STORED && method !== DEFLATED) return `a member is packed by method ${method}`;
  const header_at = start + local;
  if (header_at + LOCAL_BYTES + packed_bytes > tail.at + at) return DAMAGED;
  const end = at + ENTRY_BYTES + u16(28);
  const name = Buffer.from(bytes.subarray(at + ENTRY_BYTES, end)).toString("utf8");
  return {
    member: { name, method, crc32: u32(16), packed_bytes, bytes: size, header_at },
    next: end + u16(30) + u16(32),
  };
}

/**
 * The files of an archive, without folders, or the reason why it cannot be read. The tail of the archive is enough if
 * it contains the directory. Bytes before the archive, such as a program that unpacks it, are skipped.
 */
export function readZipDirectory(tail: Tail): readonly ZipMember[] | string {
  const view = viewOf(tail.bytes);
  const end = view.byteLength < END_BYTES ? undefined : findEnd(view);
  if (end === undefined) return "the body is no whole ZIP archive";
  const [count, size, offset] = [
    view.getUint16(end + 10, true),
    view.getUint32(end + 12, true),
    view.getUint32(end + 16, true),
  ];
  const start = tail.at + end - size - offset;
  if (count > MEMBERS_MAX || start < 0) return DAMAGED;
  const members: ZipMember[] = [];
  for (let at = end - size, n = 0; n < count; n += 1) {
    const entry = readEntry(tail, at, start);
    if (typeof entry === "string") return entry;
    if (!entry.member.name.endsWith("/")) members.push(entry.member);
    at = entry.next;
  }
  return members;
}

/** Start of a member's data, by its own header; undefined if the header is invalid. */
export function findData({ header_at }: ZipMember, header: Uint8Array): number | undefined {
  const view = viewOf(header);
  if (view.byteLength < LOCAL_BYTES || view.getUint32(0, true) !== LOCAL) return undefined;
  return header_at + LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
}

/** The wanted member, or the reason why it is not clear. */
export function findMember(members: readonly ZipMember[], wanted?: string | RegExp): ZipMember | string {
  const fits = members.filter(({ name }) => {
    if (wanted === undefined) return true;
    return typeof wanted === "string" ? name === wanted : wanted.test(name);
  });
  const [only] = fits;
  if (only && fits.length === 1) return only;
  return `${fits.length} of the ZIP's ${members.length} members are the one that is wanted`;
}
