import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../catalog/context.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import type { ErrorForm } from "../../catalog/request.ts";
import { isUnusable, type Unusable, unusable } from "../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "./clock-skew.ts";

/** Best bid and ask of one spot pair, in the quote currency. */
export interface SpotQuote {
  readonly bid: number;
  readonly ask: number;
  /** Time the venue states for it, ms; null when it states none: the book is then as new as the call. */
  readonly at_ms: number | null;
}

export type QuoteContext = Pick<FetchContext, "get" | "now_ms">;

/** A decimal number as venues write it in JSON strings. */
export const DecimalText = Type.String({ pattern: "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,18})?$" });

/** Unix time in a string of digits, s or ms. */
export const TimeText = Type.String({ pattern: "^[1-9][0-9]{8,15}$" });

/** A wider book has no meaningful middle. */
const SPREAD_RATIO_MAX = 0.05;

/** How long a quote may be used again; far below the 30 s after which it counts as old. */
const QUOTE_TTL_MS = 2_000;

export const getMid = (quote: Pick<SpotQuote, "bid" | "ask">): number => (quote.bid + quote.ask) / 2;

function findQuoteFault({ bid, ask, at_ms }: SpotQuote, now_ms: number): Unusable | undefined {
  if (!Number.isFinite(bid) || !Number.isFinite(ask) || bid <= 0) return unusable("a price is not above 0");
  if (ask < bid) return unusable(`the book is crossed: bid ${bid}, ask ${ask}`);
  if (ask / bid - 1 > SPREAD_RATIO_MAX) return unusable(`the spread is above ${SPREAD_RATIO_MAX * 100} %`);
  if (at_ms !== null && !Number.isFinite(at_ms)) return unusable("the time cannot be read");
  if (at_ms !== null && at_ms > now_ms + CLOCK_SKEW_MAX_MS) return unusable("the time lies in the future");
  return undefined;
}

/**
 * Fetches a quote and refuses books that are crossed, too wide or dated in the future. Old ones are handed over with
 * their date: how old is too old is for the product to say.
 * @throws UpstreamError
 */
export function fetchQuote<S extends TSchema>(
  context: QuoteContext,
  provider: ProviderDefinition,
  request: {
    readonly path: string;
    readonly schema: S;
    readonly timeout_ms: number;
    readonly errors?: readonly ErrorForm[];
    readonly read: (value: Static<S>) => SpotQuote | Unusable;
  },
): Promise<SpotQuote> {
  return context.get(provider, {
    ...request,
    ttl_ms: QUOTE_TTL_MS,
    read(value) {
      const quote = request.read(value);
      return isUnusable(quote) ? quote : (findQuoteFault(quote, context.now_ms) ?? quote);
    },
  });
}
