import { createLRU } from "../../core/lru.ts";

/** A tool's text is for a model's context: the whole answer stands beside it, as structuredContent. */
export const TEXT_BYTES_MAX = 2_000;
const NOTE = "Cut to its beginnings; the whole answer is in structuredContent.";
/** Answers that are sold again and again are summed up once. */
const KEPT_MAX = 200;

/** How much of lists, texts and depth is left, from most to least. */
const STEPS = [
  { items: 20, chars: 200, depth: 6 },
  { items: 8, chars: 200, depth: 5 },
  { items: 4, chars: 160, depth: 4 },
  { items: 2, chars: 100, depth: 4 },
  { items: 1, chars: 60, depth: 3 },
  { items: 0, chars: 40, depth: 2 },
] as const;
type Step = (typeof STEPS)[number];

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** What an answer is of: a figure without it would pass for one of another subject, so it is shown whole. */
const PREVIEW_OF = "preview_of";
/** One that is longer is shortened like all else, for the text has to hold it. */
const PREVIEW_OF_CHARS_MAX = 500;
const isKeptWhole = (name: string, value: unknown): boolean =>
  name === PREVIEW_OF && JSON.stringify(value).length <= PREVIEW_OF_CHARS_MAX;

/** The beginning of every list and text; what lies deeper is counted. */
function shorten(value: unknown, step: Step, depth = 0): unknown {
  if (typeof value === "string") {
    return value.length <= step.chars ? value : `${value.slice(0, step.chars).toWellFormed()}…`;
  }
  if (Array.isArray(value)) {
    const shown = depth >= step.depth ? [] : value.slice(0, step.items);
    const left = value.length - shown.length;
    const items = shown.map((one) => shorten(one, step, depth + 1));
    return left === 0 ? items : [...items, `… ${left} more`];
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  if (depth >= step.depth) return `… ${entries.length} members`;
  return Object.fromEntries(
    entries.map(([name, one]) => [name, isKeptWhole(name, one) ? one : shorten(one, step, depth + 1)]),
  );
}

function summarise(json: string): string {
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) return JSON.stringify({ summary: NOTE });
  for (const step of STEPS) {
    const { [PREVIEW_OF]: of, ...rest } = shorten(value, step) as Record<string, unknown>;
    const text = JSON.stringify({ [PREVIEW_OF]: of, summary: NOTE, ...rest });
    if (Buffer.byteLength(text) <= TEXT_BYTES_MAX) return text;
  }
  // No datum is shown, so nothing can pass for what it is not.
  return JSON.stringify({ summary: NOTE, members: Object.keys(value).length });
}

const kept = createLRU<string>(KEPT_MAX);

/** A JSON object in at most 2,000 bytes: itself where it fits, else the beginnings of its lists and texts, as JSON. */
export function summariseJSON(json: string): string {
  // Three bytes a character at most: most answers need not be measured.
  if (json.length * 3 <= TEXT_BYTES_MAX || Buffer.byteLength(json) <= TEXT_BYTES_MAX) return json;
  const known = kept.get(json);
  if (known !== undefined) return known;
  const text = summarise(json);
  kept.set(json, text);
  return text;
}
