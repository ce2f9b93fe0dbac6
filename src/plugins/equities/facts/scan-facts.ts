import { getOwn } from "intel-node";
/** One fact as EDGAR states it. `start` is missing for values of a moment. */
export interface EdgarFact {
  readonly tag: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly value: number;
  readonly accession: string;
  readonly form: string;
  readonly filed: string;
}

const FORMS = new Set([
  "10-K",
  "10-K/A",
  "10-Q",
  "10-Q/A",
  "10-KT",
  "10-KT/A",
  "20-F",
  "20-F/A",
  "40-F",
  "40-F/A",
  "6-K",
]);
const [QUOTE, BACKSLASH, OPEN, CLOSE, COLON] = [0x22, 0x5c, 0x7b, 0x7d, 0x3a];
/** About two milliseconds of work: other requests are served in between. */
const BYTES_PER_TURN = 1_000_000;

interface RawFact {
  readonly start?: string;
  readonly end: string;
  readonly val: number;
  readonly accn: string;
  readonly form: string;
  readonly filed: string;
}

/**
 * No company has more of any currency, or of shares: the largest balance sheets, in rupiah and won, have 15 digits.
 * A larger value is a slip of its filer's.
 */
const VALUE_MAX = 1e16;

const isReadable = ({ val, end, filed }: Partial<RawFact>): boolean =>
  typeof val === "number" && Math.abs(val) <= VALUE_MAX && typeof end === "string" && typeof filed === "string";

/** A row of an unread form is skipped; anything but a row is unreadable. */
const isOfReport = (row: Partial<RawFact> | null): boolean => row?.form === undefined || FORMS.has(row.form);

interface FactsRead {
  readonly facts: EdgarFact[];
  /** Rows of the wanted tags and forms, and how many of them were unreadable and left out. */
  of: number;
  dropped: number;
}

/** Adds the facts of one tag: those of annual and quarterly reports. */
function readTag(tag: string, text: string, read: FactsRead): void {
  const { units = {} } = JSON.parse(text) as { units?: Record<string, readonly (RawFact | null)[]> };
  for (const [unit, rows] of Object.entries(units)) {
    for (const row of rows.filter(isOfReport)) {
      read.of += 1;
      if (row?.form === undefined || !isReadable(row)) {
        read.dropped += 1;
        continue;
      }
      const { start, end, val, accn, form, filed } = row;
      read.facts.push({ tag, unit, start: start ?? null, end, value: val, accession: accn, form, filed });
    }
  }
}

export interface FactsFile extends Readonly<FactsRead> {
  readonly entity: string;
}

/**
 * Reads the wanted tags out of a companyfacts file: {"facts": {taxonomy: {tag: {...}}}}. Such a file has up to 16 MB,
 * of which a few percent are wanted: its bytes are walked once, and only wanted rows are parsed. It yields after
 * every megabyte, so that no call waits for it.
 * @throws SyntaxError for a body that is not such a file.
 */
export async function scanFacts(
  bytes: Uint8Array,
  wanted: Readonly<Record<string, readonly string[]>>,
  giveWay: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve)),
): Promise<FactsFile> {
  const decoder = new TextDecoder();
  const textOf = (from: number, to: number): string => decoder.decode(bytes.subarray(from, to));
  const read: FactsRead = { facts: [], of: 0, dropped: 0 };
  /** Names of the members one is inside of. */
  const path: string[] = [];
  let name = "";
  let entity = "";
  let next_turn = BYTES_PER_TURN;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const from = at + 1;
      for (at = from; at < bytes.length && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
      // Only names and one text near the root are of interest; deeper ones are never decoded.
      if (bytes[at + 1] === COLON) name = textOf(from, at);
      else if (path.length === 1 && name === "entityName") entity = textOf(from, at);
    } else if (byte === OPEN) {
      if (path.length === 3 && path[1] === "facts") {
        const end = findEnd(bytes, at);
        if (end < 0) throw new SyntaxError("the file is cut off");
        if (getOwn(wanted, path[2] ?? "")?.includes(name)) readTag(name, textOf(at, end + 1), read);
        at = end;
      } else path.push(name);
    } else if (byte === CLOSE) path.pop();
    if (at >= next_turn) {
      next_turn = at + BYTES_PER_TURN;
      await giveWay();
    }
  }
  if (path.length > 0) throw new SyntaxError("the file is cut off");
  return { entity, ...read };
}

/** Where the object that opens at a place is closed; -1 when it is not. Braces in texts do not count. */
function findEnd(bytes: Uint8Array, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
    } else if (byte === OPEN) depth += 1;
    else if (byte === CLOSE) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}
