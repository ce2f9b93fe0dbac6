import { Kind, type TSchema } from "@sinclair/typebox";
import { getListRule, type ListRule } from "../../src/catalog/rows.ts";
import { type AnyRequest, createRule } from "../../src/upstream/call.ts";
import { type AnswerRead, readAnswer } from "../../src/upstream/read-answer.ts";
import { at, type Bend, type BentRow, bendAnswer, findLists, listBends, listNumbers, renderBent } from "./bent-rows.ts";
import type { NotedReader } from "./noted-readers.ts";

export interface OddRowFinding {
  readonly what: "refused" | "accepted" | "silent" | "crashed";
  readonly text: string;
}

export interface OddRowReport {
  readonly lists: number;
  readonly cases: number;
  readonly findings: readonly OddRowFinding[];
}

/**
 * What was decided about the list at a place of an answer. A list within one that is whole, of which the schema knows
 * no more, is part of that; undefined where nothing is known.
 */
function findRule(
  schema: TSchema,
  path: readonly (string | number)[],
  outer?: ListRule | undefined,
): ListRule | undefined {
  const [step, ...rest] = path;
  const around = getListRule(schema) ?? outer;
  const inner = (one: unknown): ListRule | undefined =>
    typeof one === "object" && one !== null && Kind in one ? findRule(one as TSchema, path, around) : undefined;
  for (const one of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) {
    const rule = inner(one);
    if (rule) return rule;
  }
  if (step === undefined) return around;
  const next =
    typeof step === "number"
      ? Array.isArray(schema.items)
        ? schema.items[step]
        : schema.items
      : (schema.properties?.[step] ?? Object.values(schema.patternProperties ?? {})[0]);
  return next ? findRule(next as TSchema, rest, around) : around;
}

/** Ways of reading whose lists stand in a text or behind a decision of the reader's own, and are whole by it. */
const WHOLE_TEXTS = ["coinbase /products/", "evm_rpc ", "solana_rpc "];
/** Bends that make another row which may be true: a rate may be negative, and a list may change its order. */
const MAY_BE_TRUE: readonly (readonly [place: RegExp, bend: Bend, why: string])[] = [
  [/^hyperliquid .*funding/i, "negative", "shorts pay"],
  [/^gdelt .*value/, "negative", "a tone"],
  [/^(ibge|bcb_olinda) /, "negative", "deflation"],
  [/^dexscreener .*priceChange/, "negative", "prices fall"],
  [/^hyperliquid .*(universe|\d+)\b/, "other_order", "columns without names of their own"],
  [/^ibge \/values/, "other_order", "the first row is the heading"],
  [/^lifi /, "duplicate", "two equal fees"],
  [/^solana_rpc /, "duplicate", "no more slots than it keeps are taken"],
  [/^(cdp|payai)_bazaar .*lastUpdated/, "wrong_type", "a time is a number or a text there"],
  [/^fed .*time/, "missing", "an event of the whole day"],
  [/^fed .*time/, "empty", "an event of the whole day"],
  [/^alternative_me .*(value|time_until_update)/, "zero", "the most fear there is, and a value that is due now"],
  [/^hyperliquid /, "zero", "a rate of 0; bars are judged together, behind the reader"],
  [/^(bitstamp|kraken) .*ohlc/i, "zero", "bars are judged together, behind the reader"],
  [/^mempool_space .*mempool-blocks/, "zero", "an empty mempool"],
  [/^(dexscreener|jito|jupiter|blockscout) /, "zero", "nobody traded, tipped or sent anything"],
  [/^mev_relays .*(value|num_tx)/, "zero", "a block without transactions"],
  [/^(rhj|twse) .*volume/i, "zero", "no share was traded"],
  [/^(ibge|bcb_olinda) /, "zero", "nothing changed"],
  [/^pump_fun .*(reserves|last_trade|baseAmount)/, "zero", "reserves that are gone, a coin nobody traded, dust"],
];
/** Lists that are handed on as they came, to be judged where they are used. */
const HANDED_ON: readonly (readonly [place: RegExp, why: string])[] = [
  [/^(evm|solana)_rpc /, "a batch is sorted first, then each result is read"],
  [/^goplus /, "flags of one token, each read by itself"],
  [/^mempool_space .*hashrates/, "nobody reads the list"],
];
/** Rows that are gone because they say, in a way that may be true, that they are of another kind. */
const MAY_BE_OTHER: readonly (readonly [place: RegExp, why: string])[] = [
  [/^hn_algolia .*title/, "removed submissions keep their place, without words"],
  [/^(fed|fiscaldata) .*(title|security_term|security_type)/, "events of other kinds are in the list"],
  [/^eurostat .*annotation.*type/, "annotations of other kinds are in the list"],
  [/^circle_cctp .*finalityThreshold/, "other speeds are in the list"],
  [/^gdelt .*value zero/, "an interval without articles"],
  [/^(cdp|payai)_bazaar /, "sellers offer what this node does not read"],
  [/^hyperliquid .*/, "coins nobody asked for, or that nobody trades, have any name"],
  [/^state_advisories .*Title/, "some advisories are of no single country"],
  [/^(exa|brave|searxng|serper|tavily|wikipedia) /, "results without words or address are none"],
  [/^coin(marketcap|gecko) .*market_cap (null|zero)/, "a supply nobody vouches for"],
  [/^twse .*ClosingPrice/, "shares that were not traded have no close"],
  [/^bcb_sgs .*valor/, "a day without an observation"],
  [/^okx .*missing/, "a level without its first figure reads as one without quantity"],
];

/** Lists of which one row alone is read, so that its fault is the whole answer's. */
const ALONE_AMONG_OTHERS: readonly (readonly [place: RegExp, why: string])[] = [
  [/^eurostat .*annotation.*date/, "of all annotations one says when the next figures come"],
];

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** Reads an answer with a row bent, and one without that row, and says what is wrong with how it was read. */
export async function judgeReader(
  { provider, request }: NotedReader,
  answer: unknown,
  pick: (bends: readonly BentRow[], list: string) => readonly BentRow[],
): Promise<OddRowReport> {
  const rule = createRule(provider, request as unknown as AnyRequest);
  const read = (value: unknown): Promise<AnswerRead> => {
    const bytes = encode(value);
    return readAnswer(bytes, { ...rule, unpack: undefined }, { status: 200, bytes: bytes.length });
  };
  const full = await read(answer);
  if (answer === undefined || !full.ok) return { lists: 0, cases: 0, findings: [] };
  const name = `${provider.id} ${request.path.slice(0, 60)}`;
  const findings: OddRowFinding[] = [];
  let cases = 0;
  const lists = findLists(answer);
  for (const list of lists) {
    const rows = (at(answer, list) as readonly unknown[]).length;
    const whole =
      findRule(request.schema, list)?.kind === "whole" || WHOLE_TEXTS.some((start) => name.startsWith(start));
    const indexes = new Set([0, Math.floor(rows / 2), rows - 1]);
    const bends = pick(
      [...indexes].flatMap((index) => listBends(answer, list, index)),
      `${name} ${list.join("/")}`,
    );
    const removed = new Map<number, AnswerRead>();
    for (const bent of bends) {
      const without =
        removed.get(bent.index) ?? (await read(bendAnswer(answer, { ...bent, field: [], bend: "missing_row" })));
      removed.set(bent.index, without);
      cases += 1;
      const text = `${name} ${renderBent(bent)}`;
      const got = await read(bendAnswer(answer, bent)).catch((error: unknown) => error);
      const found = judge(got as AnswerRead | Error, { full, without, is_alone: rows === 1, whole, bent });
      if (found && !isKnown(text, bent.bend, found[0])) findings.push({ what: found[0], text: `${text}: ${found[1]}` });
    }
  }
  return { lists: lists.length, cases, findings };
}

function isKnown(text: string, bend: Bend, what: OddRowFinding["what"]): boolean {
  if (what === "silent") return MAY_BE_OTHER.some(([place]) => place.test(text));
  if (what === "refused" && ALONE_AMONG_OTHERS.some(([place]) => place.test(text))) return true;
  if (what === "accepted" && HANDED_ON.some(([place]) => place.test(text))) return true;
  return MAY_BE_TRUE.some(([place, of]) => of === bend && place.test(text));
}

interface Known {
  readonly full: AnswerRead & { readonly ok: true };
  readonly without: AnswerRead;
  /** Nothing is left without the row. */
  readonly is_alone: boolean;
  readonly whole: boolean;
  readonly bent: BentRow;
}

function judge(
  got: AnswerRead | Error,
  { full, without, is_alone, whole, bent }: Known,
): readonly [OddRowFinding["what"], string] | null {
  if (got instanceof Error) return ["crashed", String(got)];
  if (!got.ok) {
    if (got.reason.includes("could not be judged")) return ["crashed", got.reason];
    return whole || is_alone || !without.ok ? null : ["refused", got.reason];
  }
  // A row less may say something else in any list: that is what the bent ones are compared with.
  if (bent.bend === "missing_row" || Bun.deepEquals(got.reading, full.reading)) return null;
  if (without.ok && Bun.deepEquals(got.reading, without.reading)) {
    return got.dropped || whole ? null : ["silent", "the row is gone without a word"];
  }
  // Another text is another text; another number has to come from somewhere.
  const known = listNumbers(full.reading);
  if (without.ok) listNumbers(without.reading, known);
  const fresh = [...listNumbers(got.reading)].filter((number) => !isAmong(number, known));
  if (fresh.length === 0 || (whole && POSITIONAL.includes(bent.bend))) return null;
  return ["accepted", `numbers ${fresh.slice(0, 3).join(", ")}`];
}

/** What is made of a list that is whole may depend on its order and its length. */
const POSITIONAL: readonly Bend[] = ["other_order", "duplicate", "extra_field", "missing"];

/** A sum in another order ends in other digits. */
function isAmong(number: string, known: ReadonlySet<string>): boolean {
  if (known.has(number)) return true;
  const value = Number(number);
  return [...known].some((one) => Math.abs(Number(one) - value) <= Math.abs(value) * 1e-9);
}
