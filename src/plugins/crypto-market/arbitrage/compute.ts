import { type Computed, type Draft, missing, renderPair, toNodeError, UpstreamError } from "intel-node";
import { type BookFill, sellIntoBids, spendOnAsks } from "./depth.ts";
import type { ArbitrageInputs, VenueBook } from "./fetch.ts";
import { type CheckedBook, judgeBooks, type UsableBook, warnOf } from "./judge.ts";
import {
  type ArbitrageData,
  type ArbitrageQuote,
  type ArbitrageSize,
  type ArbitrageVenue,
  CROSSINGS,
  EXECUTABLE_NOTIONAL_USD,
  NOTIONALS_USD,
} from "./schema.ts";

const BPS = 10_000;
const USABLE_MIN = 2;

/** One crossing of two books, not rounded; prices in US dollars. */
interface Crossing {
  readonly buy: VenueBook;
  readonly sell: VenueBook;
  readonly ask_vwap: number;
  readonly bid_vwap: number;
  readonly gross: number;
  readonly net: number;
  readonly pnl_usd: number;
}

interface DepthResult {
  readonly notional_usd: number;
  readonly crossings: readonly Crossing[];
  readonly insufficient_depth: ArbitrageSize["insufficient_depth"];
}

/** Half the spread of USDT/USD as a share of its middle: what a leg in the other currency costs more. */
const getConversionCost = (usdt: ArbitrageInputs["usdt"]): number =>
  usdt === null ? 0 : (usdt.ask - usdt.bid) / (usdt.ask + usdt.bid);

/**
 * gross = bid / ask - 1 and net = bid (1 - fee of the seller) (1 - conversion) / (ask (1 + fee of the buyer)) - 1, over
 * the average prices of the same quantity on both venues.
 */
function cross(
  [buy, bought]: readonly [VenueBook, BookFill],
  [sell, sold]: readonly [VenueBook, BookFill],
  { notional_usd, conversion }: { readonly notional_usd: number; readonly conversion: number },
): Crossing {
  const paid = notional_usd * (1 + buy.taker_bps / BPS);
  const converted = buy.quote === sell.quote ? 1 : 1 - conversion;
  const got = sold.vwap * sold.quantity * (1 - sell.taker_bps / BPS) * converted;
  return {
    buy,
    sell,
    ask_vwap: bought.vwap,
    bid_vwap: sold.vwap,
    gross: sold.vwap / bought.vwap - 1,
    net: got / paid - 1,
    pnl_usd: got - paid,
  };
}

/** Buys for `notional_usd` on every venue and sells the same quantity on every other one. */
function walk(books: readonly UsableBook[], notional_usd: number, conversion: number): DepthResult {
  const crossings: Crossing[] = [];
  const lacking = new Map<string, ArbitrageSize["insufficient_depth"][number]>();
  const lack = (venue: string, side: "buy" | "sell") => lacking.set(`${venue} ${side}`, { venue, side });
  for (const buyer of books) {
    const bought = spendOnAsks(buyer.asks, notional_usd);
    if (!bought) {
      lack(buyer.source.venue, "buy");
      continue;
    }
    for (const seller of books) {
      if (seller === buyer) continue;
      const sold = sellIntoBids(seller.bids, bought.quantity);
      if (sold) crossings.push(cross([buyer.source, bought], [seller.source, sold], { notional_usd, conversion }));
      else lack(seller.source.venue, "sell");
    }
  }
  return { notional_usd, crossings, insufficient_depth: [...lacking.values()] };
}

const findBest = ({ crossings }: DepthResult): Crossing | undefined =>
  crossings.reduce<Crossing | undefined>((best, one) => (best && best.net >= one.net ? best : one), undefined);

function describeSize(walked: DepthResult, unit_usd: number, crossings: number): ArbitrageSize {
  const best = findBest(walked);
  return {
    notional_usd: walked.notional_usd,
    best: best
      ? {
          buy_venue: best.buy.venue,
          sell_venue: best.sell.venue,
          ask_vwap: best.ask_vwap / unit_usd,
          bid_vwap: best.bid_vwap / unit_usd,
          gross_bps: best.gross * BPS,
          net_bps: best.net * BPS,
          pnl_usd: best.pnl_usd,
        }
      : null,
    matrix: [...walked.crossings]
      .sort((a, b) => b.net - a.net)
      .slice(0, crossings)
      .map(({ buy, sell, gross, net }) => ({
        buy: buy.venue,
        sell: sell.venue,
        gross_bps: gross * BPS,
        net_bps: net * BPS,
      })),
    insufficient_depth: walked.insufficient_depth,
  };
}

function describeVenue({ source, fault }: CheckedBook, read_at_ms: number): Draft<ArbitrageVenue> {
  const { venue, quote, quote_note, taker_bps, taker_source, outcome } = source;
  const book = outcome.ok ? outcome.value : null;
  const [bid, ask] = [book?.bids[0]?.price ?? null, book?.asks[0]?.price ?? null];
  const at_ms = book?.at_ms ?? null;
  return {
    venue,
    quote,
    quote_note,
    bid,
    ask,
    spread_bps: bid === null || ask === null ? null : ((ask - bid) / ((ask + bid) / 2)) * BPS,
    // Of a book that could not be read the warning of its venue speaks.
    age_ms:
      book === null
        ? null
        : at_ms === null
          ? missing("the venue states no time of its book")
          : Math.max(0, read_at_ms - at_ms),
    taker_bps,
    taker_source,
    used: fault === null,
    reason: fault,
  };
}

function listAssumptions(books: readonly UsableBook[]): string[] {
  const named = (taker_source: VenueBook["taker_source"]) =>
    books.filter(({ source }) => source.taker_source === taker_source).map(({ source }) => source.venue);
  const [own, unconfirmed] = [named("operator"), named("unconfirmed")];
  const quotes = new Set(books.map(({ source }) => source.quote));
  return [
    "Money and coins already lie on both venues: withdrawals, their time and cost are not counted.",
    "Books were read within 3 s of each other, not in one instant; what they hold may be gone when an order arrives.",
    "Taker fees are those of the lowest public volume tier, taken in the quote currency." +
      (own.length > 0 ? ` Set by the operator: ${own.join(", ")}.` : "") +
      (unconfirmed.length > 0 ? ` Not confirmed: ${unconfirmed.join(", ")}.` : ""),
    ...(quotes.size > 1
      ? ["Legs in different quote currencies are converted at the middle of USDT/USD; half its spread is a cost."]
      : []),
  ];
}

/** The error of an answer without two books that can be compared. */
function refuse(all: readonly CheckedBook[]): Error {
  const errors = all.flatMap(({ source, fault }) => {
    if (fault === null) return [];
    if (!source.outcome.ok) return [source.outcome.error];
    return [new UpstreamError("upstream_bad_response", source.venue, "the book cannot be compared with the others")];
  });
  return toNodeError(errors, "arbitrage");
}

/**
 * What each venue charges to buy and pays to sell at real depth, and what a crossing leaves after costs. Pure.
 * @throws NodeError upstream_unavailable or upstream_bad_response when fewer than two books can be compared, or when
 *   prices are asked for in USDT and nobody has its rate.
 */
export function computeArbitrage(
  inputs: ArbitrageInputs,
  pair: { readonly base: string; readonly quote: ArbitrageQuote; readonly crossings?: number },
): Computed<Draft<ArbitrageData>> {
  const { read_at_ms, usdt } = inputs;
  const all = judgeBooks(inputs);
  const books = all.flatMap(({ book }) => (book ? [book] : []));
  const usdt_usd = usdt === null ? null : (usdt.bid + usdt.ask) / 2;
  const unit_usd = pair.quote === "USD" ? 1 : usdt_usd;
  if (books.length < USABLE_MIN) throw refuse(all);
  if (unit_usd === null) throw toNodeError([], "arbitrage: USDT/USD");

  const walked = NOTIONALS_USD.map((notional_usd) => walk(books, notional_usd, getConversionCost(usdt)));
  const gross = walked.flatMap(({ crossings }) => crossings.map((one) => one.gross));
  const decisive = walked.find(({ notional_usd }) => notional_usd === EXECUTABLE_NOTIONAL_USD);
  const warnings = all.flatMap((judged) => warnOf(judged, read_at_ms));
  for (const { notional_usd, insufficient_depth } of walked) {
    const names = insufficient_depth.map(({ venue, side }) => `${venue} (${side})`);
    if (names.length > 0) warnings.push(`sizes.${notional_usd}: insufficient_depth at ${names.join(", ")}`);
  }
  const times = books.flatMap(({ at_ms }) => (at_ms === null ? [] : [at_ms]));
  return {
    as_of_ms: Math.max(...times),
    warnings,
    data: {
      pair: renderPair(pair),
      venues: all.map((judged) => describeVenue(judged, read_at_ms)),
      sizes: walked.map((one) => describeSize(one, unit_usd, pair.crossings ?? CROSSINGS.max)),
      executable: decisive !== undefined && (findBest(decisive)?.net ?? 0) > 0,
      max_gross_bps: gross.length === 0 ? null : Math.max(...gross) * BPS,
      usdt_usd,
      assumptions: listAssumptions(books),
    },
  };
}
