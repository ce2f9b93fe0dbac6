import { briefSources } from "../../catalog/view.ts";
import { createLRU } from "../../core/lru.ts";
import { TEXT_BYTES_DEFAULT, TEXT_BYTES_PARAM } from "../../surfaces/mcp-tools.ts";
import { type Piece, renderPieces, sortPieces } from "./pieces.ts";

/** How an answer is written as text. */
export interface SummaryTextOptions {
  /** The most bytes it may have; default: 8,000. */
  readonly bytes?: number;
  /** What was asked: shown first where the text is cut, so that no figure stands without its subject. */
  readonly asked?: Readonly<Record<string, unknown>>;
  /** Dotted names of the data's long tables: they give first. */
  readonly long?: readonly string[];
  /** Whether sources are shown with every detail. Default: by name only. */
  readonly has_all_sources?: boolean;
}

const NOTE = `Cut, the longest tables most; structuredContent has all of it, a higher ${TEXT_BYTES_PARAM} more of it.`;
/** Answers that are sold again and again are summed up once. */
const KEPT_MAX = 200;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same answer with its sources by name only, as `view=brief` has them. */
function withBriefSources(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { sources } = value;
  const is_envelope = "product" in value && "data" in value && Array.isArray(sources);
  return is_envelope ? { ...value, sources: briefSources({ sources }) } : value;
}

/** As many pieces as fit, the most telling first. The note alone fits always. */
function cut(
  value: Readonly<Record<string, unknown>>,
  bytes: number,
  { asked, long = [] }: SummaryTextOptions,
): string {
  const { preview_of, ...members } = value;
  const of = preview_of === undefined ? {} : { preview_of };
  const is_said = asked === undefined || Object.keys(asked).length === 0 || preview_of !== undefined;
  const named = { summary: NOTE, ...(is_said ? {} : { asked }) };
  // Ours go first, also where an answer has members of these names.
  const whole = {
    ...of,
    ...named,
    ...Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(named, name))),
  };
  const pieces = sortPieces(whole, {
    first: ["preview_of", "text", "headline", ...Object.keys(named)],
    long,
    pieces_max: bytes / 2,
  });
  const render = (count: number) => renderPieces(pieces.slice(0, count) as readonly Piece[]);
  let best = JSON.stringify({ summary: NOTE });
  let [low, high] = [1, pieces.length];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const text = render(middle);
    if (Buffer.byteLength(text) <= bytes) {
      best = text;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
}

function summarise(json: string, bytes: number, options: SummaryTextOptions): string {
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) return Buffer.byteLength(json) <= bytes ? json : JSON.stringify({ summary: NOTE });
  const shown = options.has_all_sources ? value : withBriefSources(value);
  const text = shown === value ? json : JSON.stringify(shown);
  return Buffer.byteLength(text) <= bytes ? text : cut(shown, bytes, options);
}

const kept = createLRU<string>(KEPT_MAX);

/**
 * A JSON object as the text of a tool's answer, for the context of a model whose client shows nothing else: whole where
 * it fits, with its sources by name. Else what tells most, as JSON: what was asked, verdicts, figures and warnings
 * whole, then tables from their beginnings, the product's long ones last.
 */
export function summariseJSON(json: string, options: SummaryTextOptions = {}): string {
  const { bytes = TEXT_BYTES_DEFAULT, asked = {}, long = [], has_all_sources = false } = options;
  const key = `${JSON.stringify([bytes, asked, long, has_all_sources])} ${json}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const text = summarise(json, bytes, options);
  kept.set(key, text);
  return text;
}
