import type { Static } from "@sinclair/typebox";
import { type FetchContext, NodeError, type OtherAnswer, type Outcome, outcomeOf, toNodeError } from "intel-node";
import { AgroSchema } from "../br-agro/schema.ts";
import { CurveSchema } from "../br-curve/schema.ts";
import { EquitySchema } from "../br-equity/schema.ts";
import { MacroSchema } from "../br-macro/schema.ts";

type Part<S extends typeof MacroSchema | typeof CurveSchema | typeof EquitySchema | typeof AgroSchema> = Outcome<
  OtherAnswer<Static<S>>
>;

/** What the other products of the domain said, each as a buyer gets it. */
export interface BrazilParts {
  readonly macro: Part<typeof MacroSchema>;
  readonly curve: Part<typeof CurveSchema>;
  /** Of the Ibovespa. */
  readonly equity: Part<typeof EquitySchema>;
  readonly agro: Part<typeof AgroSchema>;
}
export type BrazilPart = keyof BrazilParts;

/** The products that texts on Brazil are made of. */
export const BRAZIL_ASKS = {
  "/br-macro": "needed",
  "/br-curve": "needed",
  "/br-equity": "optional",
  "/br-agro": "optional",
} as const;

/** Asks all of them at once; what fails is handed over with its error. */
export async function fetchBrazilParts(context: FetchContext): Promise<BrazilParts> {
  const [macro, curve, equity, agro] = await Promise.all([
    outcomeOf(context.ask("/br-macro", {}, MacroSchema)),
    outcomeOf(context.ask("/br-curve", {}, CurveSchema)),
    outcomeOf(context.ask("/br-equity", { symbol: "IBOV" }, EquitySchema)),
    outcomeOf(context.ask("/br-agro", {}, AgroSchema)),
  ]);
  return { macro, curve, equity, agro };
}

/** @throws NodeError when one of the parts a text cannot be without is missing. */
export function assertParts(parts: BrazilParts, needed: readonly BrazilPart[], what: string): void {
  const errors = needed.flatMap((name) => {
    const part = parts[name];
    return part.ok ? [] : [part.error];
  });
  if (errors.length > 0) throw toNodeError(errors, what);
}

/** The data of a part; null when it is missing. */
export function dataOf<N extends BrazilPart>(parts: BrazilParts, name: N) {
  const part = parts[name];
  return (part.ok ? part.value.data : null) as Extract<BrazilParts[N], { ok: true }>["value"]["data"] | null;
}

/** When the newest of the parts is of, ms. */
export const newestOf = (parts: BrazilParts): number =>
  Math.max(...Object.values(parts).flatMap((part) => (part.ok ? [part.value.as_of_ms] : [])));

/** One warning for each part that is missing. */
export const warnOfParts = (parts: BrazilParts, fields: Readonly<Partial<Record<BrazilPart, string>>>): string[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const part = parts[name as BrazilPart];
    if (part.ok) return [];
    return [`${field}: ${part.error instanceof NodeError ? part.error.code : "could not be computed"}`];
  });

/** "<field>, <field>: <reason>", a part's warning about its own members. */
const NAMED = /^([\w.]+(?:, [\w.]+)*): (.+)$/s;
/** Reasons of one part that are handed on one by one; the rest is counted. */
const REASONS_MAX = 20;

/**
 * The parts' warnings about their own members, for a product that sells their data whole: "equity.returns.d5:
 * <reason>". Members that lack for the same reason share a line.
 */
export const relayWarnings = (parts: BrazilParts): readonly string[] =>
  Object.entries(parts).flatMap(([name, part]) => {
    if (!part.ok) return [];
    const fields_of = new Map<string, string[]>();
    for (const warning of part.value.warnings) {
      const [, fields, reason] = NAMED.exec(warning) ?? [];
      const key = reason ?? warning;
      const said = fields === undefined ? [name] : fields.split(", ").map((field) => `${name}.${field}`);
      fields_of.set(key, [...(fields_of.get(key) ?? []), ...said]);
    }
    const lines = [...fields_of].map(([reason, fields]) => `${fields.join(", ")}: ${reason}`);
    const more = lines.length - REASONS_MAX;
    return more > 0 ? [...lines.slice(0, REASONS_MAX), `${name}: ${more} more warnings of this part`] : lines;
  });
