import { least, most, renderUSD } from "./money.ts";

/** What a metered product's charge depends on. */
export const METERS = ["tokens", "peer_price"] as const;
export type Meter = (typeof METERS)[number];

/** Tokens of one model, as its host counted them. */
export interface TokenCount {
  /** The operator's name for it. */
  readonly model: string;
  readonly in: number;
  readonly out: number;
}

/** What was counted while the answer was made. */
export type Counted =
  | {
      readonly by: "tokens";
      readonly models: readonly TokenCount[];
      /** A host stated no count, or one that cannot be: the charge is then the floor. */
      readonly is_estimated: boolean;
    }
  | { readonly by: "peer_price"; readonly peer_price: bigint | null };

/** Atomic USDC for 1,000 tokens. */
export interface TokenRate {
  readonly in_per_1k: bigint;
  readonly out_per_1k: bigint;
}

/** The cost of a product's meter on this node, atomic USDC. */
export interface MeterTerms extends TokenRate {
  readonly by: Meter;
  readonly floor: bigint;
  readonly ceiling: bigint;
  /** Rates of single models, by the operator's names for them. */
  readonly models: ReadonlyMap<string, TokenRate>;
  /** Of the peer's price. */
  readonly peer_pct: bigint;
}

/** The published formula, before floor and ceiling. */
const FORMULAS: Readonly<Record<Meter, string>> = {
  tokens: "min(ceiling, max(floor, floor(sum(in * in_per_1k + out * out_per_1k) / 1000)))",
  peer_price: "min(ceiling, max(floor, floor(peer_price * peer_pct / 100)))",
};

const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0;

/** The cost of the counts alone, rounded down; null if they cannot be charged for. */
function measure(terms: MeterTerms, counted: Counted): bigint | null {
  if (counted.by === "peer_price") {
    const { peer_price } = counted;
    return peer_price === null || peer_price < 0n ? null : (peer_price * terms.peer_pct) / 100n;
  }
  const { models, is_estimated } = counted;
  if (is_estimated || !models.every((one) => isCount(one.in) && isCount(one.out))) return null;
  const thousandfold = models.reduce((sum, one) => {
    const { in_per_1k, out_per_1k } = rateOf(terms, one.model);
    return sum + BigInt(one.in) * in_per_1k + BigInt(one.out) * out_per_1k;
  }, 0n);
  return thousandfold / 1_000n;
}

const rateOf = (terms: MeterTerms, model: string): TokenRate => terms.models.get(model) ?? terms;

/** The charge for an answer, atomic USDC: between floor and ceiling, whatever was counted. Pure. */
export const chargeOf = (terms: MeterTerms, counted: Counted | undefined): bigint =>
  least(terms.ceiling, most(terms.floor, (counted && measure(terms, counted)) ?? terms.floor));

/** A charge, and how it came about in words that fit a header. */
export interface MeteredCharge {
  readonly charge: bigint;
  readonly headers: Readonly<Record<string, string>>;
}

/** Header that says what a metered call was charged, USD. */
export const CHARGED = "X-Charged";
/** Header that says what that follows from, as JSON: inputs, rates and formula, so that the buyer can do the sum. */
const METERING = "X-Metering";

/** The charge for an answer to a buyer who is metered; null if the product has one price. */
export function meter(
  { metering }: { readonly metering: MeterTerms | null },
  counted: Counted | undefined,
): MeteredCharge | null {
  if (metering === null) return null;
  const charge = chargeOf(metering, counted);
  const told = {
    ...renderCounted(metering, counted),
    floor: metering.floor.toString(),
    ceiling: metering.ceiling.toString(),
    charge: charge.toString(),
    formula: FORMULAS[metering.by],
  };
  return { charge, headers: { [CHARGED]: renderUSD(charge), [METERING]: JSON.stringify(told) } };
}

function renderCounted(terms: MeterTerms, counted: Counted | undefined) {
  const { by } = terms;
  if (by === "peer_price") {
    const peer_price = counted?.by === by ? (counted.peer_price?.toString() ?? null) : null;
    return { by, peer_price, peer_pct: Number(terms.peer_pct) };
  }
  const { models = [], is_estimated = true } = counted?.by === by ? counted : {};
  return {
    by,
    estimated: is_estimated,
    models: models.map((one) => {
      const { in_per_1k, out_per_1k } = rateOf(terms, one.model);
      return { ...one, in_per_1k: in_per_1k.toString(), out_per_1k: out_per_1k.toString() };
    }),
  };
}

/** The most a call may cost: this much must be available before it begins. */
export const ceilingOf = ({
  metering,
  price_atomic,
}: {
  readonly metering: MeterTerms | null;
  readonly price_atomic: bigint;
}): bigint => metering?.ceiling ?? price_atomic;

/** Terms as buyers read them, atomic USDC as texts. */
export interface MeteringText {
  readonly by: Meter;
  readonly floor: string;
  readonly ceiling: string;
  readonly in_per_1k?: string;
  readonly out_per_1k?: string;
  readonly peer_pct?: number;
  readonly formula: string;
  /** Ways to pay that are metered; all others cost the flat price. */
  readonly charged_to: readonly string[];
}

/**
 * What buyers read before they pay; undefined when there is one price.
 * @param more ways to pay that are metered, besides those that always are
 */
export function describeMetering(
  { metering }: { readonly metering: MeterTerms | null },
  more: readonly string[] = [],
): MeteringText | undefined {
  if (metering === null) return undefined;
  const { by, floor, ceiling, in_per_1k, out_per_1k, peer_pct } = metering;
  return {
    by,
    floor: floor.toString(),
    ceiling: ceiling.toString(),
    ...(by === "tokens"
      ? { in_per_1k: in_per_1k.toString(), out_per_1k: out_per_1k.toString() }
      : { peer_pct: Number(peer_pct) }),
    formula: FORMULAS[by],
    charged_to: ["api key", "payment channel", ...more],
  };
}
