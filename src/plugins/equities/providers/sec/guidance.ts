import type { FetchContext } from "intel-node";
import { type FiledDocument, fetchFiled } from "./submission-text.ts";
import type { Filing } from "./submissions.ts";

/** What a company itself said of its next quarter, in one sentence of its press release. */
export interface StatedGuidance {
  /** Diluted earnings per share, US dollars. */
  readonly low: number;
  readonly high: number;
  /** Quarter of the company's fiscal year, 1 to 4. */
  readonly quarter: number;
  /** The fiscal year as the company counts it; null when the sentence names none. */
  readonly year: number | null;
  /** Word for word. */
  readonly sentence: string;
}

const NAMED: Readonly<Record<string, string>> = {
  nbsp: " ",
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  ndash: "-",
  mdash: "-",
  rsquo: "'",
  lsquo: "'",
  ldquo: '"',
  rdquo: '"',
  dollar: "$",
};
const BLOCK = /<\/?(?:p|div|tr|table|li|ul|ol|h[1-6]|br|hr|title|td|th)\b[^>]*>/gi;
const decode = (text: string): string =>
  text
    .replaceAll(/&#(\d{1,6});/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll(/&#x([0-9a-f]{1,5});/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&([a-z]{2,6});/g, (whole, name) => NAMED[name] ?? whole);

/** The sentences of a page; one never runs on over the end of a paragraph or a table's cell. */
function listSentences(html: string): readonly string[] {
  const text = html.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/gi, "").replaceAll(BLOCK, "\n");
  const blocks = decode(text.replaceAll(/<[^>]*>/g, "")).split("\n\n");
  return blocks
    .flatMap((block) => block.replaceAll(/\s+/g, " ").split(/(?<=[.!?])\s+(?=[A-Z"])/))
    .map((sentence) => sentence.trim());
}

const SENTENCE_MAX = 400;
const RANGE =
  /(?:between|in (?:the|a) range of|range from|from|of) \$(\d{1,3}\.\d{2}) (?:and|to|-|\u2013) \$(\d{1,3}\.\d{2})/;
const PER_SHARE =
  /\bdiluted (?:net )?(?:earnings|income) per (?:common )?share\b|\bearnings per diluted share\b|\bdiluted EPS\b/i;
const FORWARD = /\b(?:expects?|anticipates?|forecasts?|projects?|(?:is|are) expected)\b/i;
const QUARTER =
  /\b(first|second|third|fourth) (?:fiscal )?quarter(?: (?:of |ending )?(?:its )?(?:fiscal )?(?:year )?(20\d\d))?/gi;
/** Whatever makes it another figure than the one in the company's statements, another span, or a condition. */
const OTHER = [
  /non-?GAAP|adjust|\bcore\b|exclud|pro forma|continuing|\bloss\b|\(\$|full[- ]year|year[- ]end|annual|half/i,
  /prior|previous|compared|versus|\bif\b|unless|assum|withdr|no longer|analyst|consensus/i,
];
const ORDINALS = ["first", "second", "third", "fourth"];

function readSentence(sentence: string): StatedGuidance | null {
  if (sentence.length > SENTENCE_MAX || OTHER.some((other) => other.test(sentence))) return null;
  if (!PER_SHARE.test(sentence) || !FORWARD.test(sentence)) return null;
  const [, low = "", high = ""] = RANGE.exec(sentence) ?? [];
  const [quarter, second] = [...sentence.matchAll(QUARTER)];
  // One range and one quarter, and no further amount that could be meant.
  if (low === "" || !quarter || second || sentence.match(/\$/g)?.length !== 2) return null;
  if (Number(low) >= Number(high)) return null;
  const [, ordinal = "", year] = quarter;
  return {
    low: Number(low),
    high: Number(high),
    sentence,
    quarter: ORDINALS.indexOf(ordinal.toLowerCase()) + 1,
    year: year === undefined ? null : Number(year),
  };
}

/**
 * What a press release says of diluted earnings per share of one quarter. It is free text, so it is read only where
 * a single sentence states a range of the figure as in the statements, for one named quarter; two
 * sentences that differ, adjusted figures, whole years, losses and conditions are read as nothing.
 */
export function readGuidance(documents: readonly FiledDocument[]): StatedGuidance | null {
  const releases = documents.filter(({ type }) => /^EX-99(\.\d{1,2})?$/.test(type));
  const found = releases.flatMap(({ text }) => listSentences(text).flatMap((one) => readSentence(one) ?? []));
  const [first] = found;
  if (!first) return null;
  const isSame = ({ low, high, quarter, year }: StatedGuidance): boolean =>
    low === first.low && high === first.high && quarter === first.quarter && year === first.year;
  return found.every(isSame) ? first : null;
}

/** A filing does not change; its text is not kept. */
const [TTL_MS, BYTES_MAX] = [7 * 86_400_000, 6_000_000];

/** What the press releases of a filing state of a coming quarter; null when nothing certain. @throws UpstreamError */
export async function fetchGuidance(
  context: Pick<FetchContext, "get">,
  { cik, filing: { accession } }: { readonly cik: number; readonly filing: Filing },
): Promise<StatedGuidance | null> {
  const { guidance } = await fetchFiled(context, {
    cik,
    accession,
    body_bytes_max: BYTES_MAX,
    ttl_ms: TTL_MS,
    read: (documents) => ({ guidance: readGuidance(documents) }),
  });
  return guidance;
}
