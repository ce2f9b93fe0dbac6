/** The kept part of an answer, which is enough to show its shape. */
export interface CutAnswer {
  readonly bytes: Uint8Array;
  readonly is_json: boolean;
  /** What was left out; null if nothing. */
  readonly cut: string | null;
}

const BYTES_MAX = 4_000;
/** Rows kept of every list: the first of these numbers with which the answer fits. */
const ROWS = [100, 50, 25, 12, 6, 3, 2, 1] as const;
/** An object with more members than this counts as a list by key. */
const MEMBERS_MAX = 60;
/** Deepest nesting kept, which is deeper than any publisher nests. */
const DEPTH_MAX = 40;

interface RawJSON {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
}
/** Numbers keep their original text: 1.10 is not 1.1, and nineteen digits do not fit a double. */
const { rawJSON, isRawJSON } = JSON as unknown as RawJSON;
const keepNumber = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && context?.source !== undefined ? rawJSON(context.source) : value;

const isPlain = (value: unknown): value is object => typeof value === "object" && value !== null && !isRawJSON(value);

/** A key may be a number. */
function cutNumber(value: unknown, hide: (text: string) => string): unknown {
  const text = JSON.stringify(value);
  const hidden = hide(text);
  return hidden === text ? value : hidden;
}

interface RowCut {
  readonly rows_max: number;
  readonly hide: (text: string) => string;
}

function cutRows(value: unknown, cut: RowCut, depth = 0): unknown {
  const { rows_max, hide } = cut;
  if (typeof value === "string") return hide(value);
  if (!isPlain(value)) return isRawJSON(value) ? cutNumber(value, hide) : value;
  if (depth > DEPTH_MAX) return null;
  const inner = (one: unknown) => cutRows(one, cut, depth + 1);
  if (Array.isArray(value)) return value.slice(0, rows_max).map(inner);
  const members = Object.entries(value);
  const kept = members.length > MEMBERS_MAX ? members.slice(0, rows_max) : members;
  return Object.fromEntries(kept.map(([name, one]) => [hide(name), inner(one)]));
}

const same = (text: string): string => text;

/** A JSON text with fewer rows; null if the text is not JSON. */
function cutJSON(text: string, hide: (text: string) => string): CutAnswer | null {
  let whole: unknown;
  try {
    whole = JSON.parse(text, keepNumber);
  } catch {
    return null;
  }
  if (text.length <= BYTES_MAX) {
    // A secret may be written with escapes, which only the parsed text shows; the bytes are rewritten then.
    const [plain, shown] = [same, hide].map((look) =>
      JSON.stringify(cutRows(whole, { rows_max: text.length, hide: look })),
    );
    return { bytes: Buffer.from(plain === shown ? hide(text) : (shown ?? "")), is_json: true, cut: null };
  }
  for (const rows of ROWS) {
    const left = JSON.stringify(cutRows(whole, { rows_max: rows, hide }));
    if (Buffer.byteLength(left) > BYTES_MAX && rows > 1) continue;
    // A single row that is too long still shows the shape.
    return { bytes: Buffer.from(left), is_json: true, cut: `every list cut to its first ${rows} rows` };
  }
  return null;
}

/**
 * Cuts an answer to the part that is kept. JSON loses rows of its lists; anything else keeps its beginning, up to a
 * line's end if there is one.
 * @param is_whole false if the caller did not read the answer to its end.
 */
export function cutAnswer(bytes: Uint8Array, is_whole: boolean, hide: (text: string) => string): CutAnswer {
  const json = is_whole ? cutJSON(Buffer.from(bytes).toString("utf8"), hide) : null;
  if (json) return json;
  // Each byte is read as one character, so that binary data comes back unchanged.
  const hidden = hide(Buffer.from(bytes).toString("latin1"));
  if (is_whole && hidden.length <= BYTES_MAX)
    return { bytes: Buffer.from(hidden, "latin1"), is_json: false, cut: null };
  const start = hidden.slice(0, BYTES_MAX);
  const line_end = start.lastIndexOf("\n");
  const kept = line_end > 0 ? start.slice(0, line_end + 1) : start;
  const of = is_whole ? `${hidden.length}` : "an answer that was not read to its end";
  return { bytes: Buffer.from(kept, "latin1"), is_json: false, cut: `the first ${kept.length} bytes of ${of}` };
}
