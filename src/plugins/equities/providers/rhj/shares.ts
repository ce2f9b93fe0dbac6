import { type Static, Type } from "@sinclair/typebox";
import { type FetchContext, Rows, type Unusable, unusable } from "intel-node";
import { CLOCK_SKEW_MAX_MS } from "intel-node/providers/clock-skew";
import { DecimalText } from "intel-node/providers/quote";
import { readStatedPrice } from "../../vendors/vendor-quote.ts";
import { rhj } from "./provider.ts";

type Context = Pick<FetchContext, "get" | "now_ms">;

/** Numbers are texts here, and some are empty. */
const MaybeDecimal = Type.Optional(Type.Union([DecimalText, Type.Literal(""), Type.Null()]));
const toNumber = (text: string | null | undefined): number | null => (text ? Number(text) : null);

const QuoteRow = Type.Object({
  tokenSymbol: Type.String({ minLength: 1, maxLength: 20 }),
  bid: MaybeDecimal,
  ask: MaybeDecimal,
  currency: Type.Literal("USD"),
  dailyTradingVolume: MaybeDecimal,
  isTradingHalt: Type.Optional(Type.Boolean()),
  generatedAt: Type.String({ maxLength: 40 }),
  dailyHigh: MaybeDecimal,
  dailyLow: MaybeDecimal,
});

/** Bid and ask of one share (not of its token), US dollars. */
export interface ShareQuote {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  readonly at_ms: number;
  readonly day_high: number | null;
  readonly day_low: number | null;
  /** Shares traded today. */
  readonly volume: number | null;
  readonly halted: boolean | null;
}

/** A quote, or the reason to refuse it; null without a quote now. */
function readRow(row: Static<typeof QuoteRow>, now_ms: number): ShareQuote | null | Unusable {
  const [bid, ask, at_ms] = [toNumber(row.bid), toNumber(row.ask), Date.parse(row.generatedAt)];
  if (bid === null || ask === null) return null;
  if (bid <= 0) return unusable("no bid above 0");
  if (ask < bid) return unusable(`the book is crossed: bid ${bid}, ask ${ask}`);
  if (Number.isNaN(at_ms)) return unusable("the time cannot be read");
  if (at_ms > now_ms + CLOCK_SKEW_MAX_MS) return unusable("the time lies in the future");
  return {
    symbol: row.tokenSymbol,
    bid,
    ask,
    at_ms,
    day_high: readStatedPrice(toNumber(row.dailyHigh)),
    day_low: readStatedPrice(toNumber(row.dailyLow)),
    volume: toNumber(row.dailyTradingVolume),
    halted: row.isTradingHalt ?? null,
  };
}

const Quotes = Type.Object({ quotes: Rows(QuoteRow, { minItems: 1, maxItems: 2_000 }) });
const QUOTE_TTL_MS = 15_000;
/** A symbol it does not list is answered with one of these. */
const UNKNOWN = [{ status: 404, schema: Type.Unknown(), means: "not_found" as const }];

/**
 * The quote of one share. Ages are for the caller to judge: outside trading hours old quotes are usual.
 * @throws UpstreamError
 */
export function fetchShareQuote(context: Context, symbol: string): Promise<ShareQuote> {
  return context.get(rhj, {
    path: `/prices/${encodeURIComponent(symbol)}`,
    schema: Quotes,
    ttl_ms: QUOTE_TTL_MS,
    errors: UNKNOWN,
    read({ quotes }) {
      const row = quotes.find((one) => one.tokenSymbol === symbol);
      return row
        ? (readRow(row, context.now_ms) ?? unusable("no bid or ask above 0"))
        : unusable("the answer is about another symbol");
    },
  });
}

/** Quotes of all shares it lists, in one call; those without a usable book are left out. @throws UpstreamError */
export function fetchShareQuotes(context: Context): Promise<readonly ShareQuote[]> {
  return context.get(rhj, {
    path: "/prices",
    schema: Quotes,
    ttl_ms: QUOTE_TTL_MS,
    read({ quotes }, _, eachRow) {
      const usable = eachRow(quotes, (row) => readRow(row, context.now_ms)).filter((quote) => quote !== null);
      return usable.length > 0 ? usable : unusable("no usable quote");
    },
  });
}

const ProcessDate = Type.Object({
  year: Type.Integer({ minimum: 2_000, maximum: 2_100 }),
  month: Type.Integer({ minimum: 1, maximum: 12 }),
  day: Type.Integer({ minimum: 1, maximum: 31 }),
});
const Actions = Type.Object({
  corpActions: Rows(
    Type.Object({
      type: Type.String({ maxLength: 80 }),
      tokenSymbol: Type.String({ maxLength: 20 }),
      processDate: Type.Optional(Type.Union([ProcessDate, Type.Null()])),
    }),
    { maxItems: 10_000 },
  ),
});

export interface CorporateAction {
  readonly symbol: string;
  /** Such as "cash_dividend" or "stock_split". */
  readonly type: string;
  /** YYYY-MM-DD. */
  readonly process_date: string;
}

const ACTIONS_TTL_MS = 3_600_000;
const pad = (value: number): string => String(value).padStart(2, "0");

/** Null where no day is set yet. */
function toAction({ type, tokenSymbol, processDate: date }: Static<typeof Actions>["corpActions"][number]) {
  return date
    ? {
        symbol: tokenSymbol,
        type: type.replace(/^CORPORATE_ACTION_TYPE_/, "").toLowerCase(),
        process_date: `${date.year}-${pad(date.month)}-${pad(date.day)}`,
      }
    : null;
}

/** Dividends, splits and the like of all shares it lists. @throws UpstreamError */
export function fetchCorporateActions(context: Context): Promise<readonly CorporateAction[]> {
  return context.get(rhj, {
    path: "/corporate-actions",
    schema: Actions,
    ttl_ms: ACTIONS_TTL_MS,
    read: ({ corpActions }) => corpActions.flatMap((row) => toAction(row) ?? []),
  });
}
