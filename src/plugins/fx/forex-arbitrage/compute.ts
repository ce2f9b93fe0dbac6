import { type Computed, type Draft, getFXWeek, missing, missingIn } from "intel-node";
import { kraken } from "intel-node/providers/kraken/provider";
import { bpsOver, type FXQuote, invert, midOf, type VenueQuote } from "../quotes/quotes.ts";
import type { ForexArbitrageInputs } from "./fetch.ts";
import type { ForexArbitrageData } from "./schema.ts";

type Loop = ForexArbitrageData["opportunities"][number];
const AGE_MAX_MS = 60_000;
const APART_MAX_MS = 5_000;
const WATCH_BPS = -1;

/** One conversion: `rate` of the second currency for 1 of the first. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly rate: number;
  readonly side: "sell" | "buy";
  readonly quote: FXQuote;
}

function* listEdges(quotes: readonly FXQuote[]): Generator<Edge> {
  for (const quote of quotes) {
    const [base = "", other = ""] = quote.pair.split("/");
    yield { from: base, to: other, rate: quote.bid, side: "sell", quote };
    yield { from: other, to: base, rate: 1 / quote.ask, side: "buy", quote };
  }
}

/** Every way from a currency over two others and back: each way round once, begun in dollars where they are part. */
function* listTriangles(edges: readonly Edge[]): Generator<readonly [Edge, Edge, Edge]> {
  for (const first of edges) {
    for (const second of edges) {
      if (second.from !== first.to || second.to === first.from) continue;
      const third = edges.find((edge) => edge.from === second.to && edge.to === first.from);
      // Dollars first where they are part of it, as dealers count.
      const start = [first.from, second.from, second.to].sort(byStart)[0];
      if (third && first.from === start) yield [first, second, third];
    }
  }
}
const byStart = (a: string, b: string): number => (a === "USD" ? -1 : b === "USD" ? 1 : a < b ? -1 : 1);

/** Largest amount of the first currency that all three quoted sizes take; null where one is not stated. */
function findSize(legs: readonly Edge[]): number | null {
  let [size, grown] = [Number.POSITIVE_INFINITY, 1];
  for (const { side, rate, quote } of legs) {
    if (!quote.size) return null;
    // Sold base is quoted in itself; bought base is what comes out.
    const takes = side === "sell" ? quote.size.bid : quote.size.ask / rate;
    size = Math.min(size, takes / grown);
    grown *= rate;
  }
  return size;
}

interface LoopTerms extends Pick<ForexArbitrageInputs, "fee_bps" | "read_at_ms"> {
  /** Whether the week of currencies is on. */
  readonly is_open: boolean;
}

/** @returns the loop's result; ages are compared, and a loop of old or scattered prices is called stale. */
function measureLoop(legs: readonly [Edge, Edge, Edge], { fee_bps, read_at_ms, is_open }: LoopTerms): Loop {
  const gross = legs.reduce((product, { rate }) => product * rate, 1);
  const net = gross * (1 - fee_bps / 1e4) ** 3;
  const times = legs.flatMap(({ quote }) => quote.at_ms ?? []);
  const [oldest, newest] = [Math.min(...times), Math.max(...times)];
  const provider = legs[0].quote.provider;
  const is_stale = times.length > 0 && (read_at_ms - oldest > AGE_MAX_MS || newest - oldest > APART_MAX_MS);
  const best_known = provider === kraken.id ? "medium" : "low";
  return {
    path: [...legs.map(({ from }) => from), legs[0].from],
    provider,
    gross_bps: (gross - 1) * 1e4,
    net_bps: (net - 1) * 1e4,
    legs: legs.map(({ side, quote }) => ({
      pair: quote.pair,
      side,
      price: side === "sell" ? quote.bid : quote.ask,
      size: quote.size && (side === "sell" ? quote.size.bid : quote.size.ask),
    })),
    max_size: findSize(legs),
    max_size_ccy: legs[0].from,
    age_s: times.length === 0 ? null : Math.max(0, read_at_ms - oldest) / 1000,
    is_stale,
    executable_confidence: is_open && !is_stale ? best_known : "none",
  };
}

/** Loops of one venue's quotes. */
export const listLoops = (quotes: readonly FXQuote[], terms: LoopTerms): readonly Loop[] =>
  [...listTriangles([...listEdges(quotes)])].map((legs) => measureLoop(legs, terms));

/** A loop as it is sold; no price of it is ever missing. */
const explainLoop = (loop: Loop): Draft<Loop> =>
  missingIn(
    { ...loop, age_s: loop.age_s ?? missing("the venue states no time") },
    "the venue does not say how much it quotes",
  );

/** A cross of two currencies against the same made of what the venue quotes of both in dollars. */
export function listSynthetic(quotes: readonly FXQuote[]): ForexArbitrageData["synthetic_crosses"] {
  const inUSD = (code: string): VenueQuote | undefined => {
    const turned = quotes.find(({ pair }) => pair === `USD/${code}`);
    return quotes.find(({ pair }) => pair === `${code}/USD`) ?? (turned && invert(turned));
  };
  return quotes.flatMap((quote) => {
    const [base = "", other = ""] = quote.pair.split("/");
    const [a, b] = [inUSD(base), inUSD(other)];
    if (!a || !b) return [];
    return [
      {
        pair: quote.pair,
        provider: quote.provider,
        bid: quote.bid,
        ask: quote.ask,
        synthetic_bid: a.bid / b.ask,
        synthetic_ask: a.ask / b.bid,
        mid_deviation_bps: bpsOver(midOf(quote), midOf(a) / midOf(b)),
      },
    ];
  });
}

type Crossed = ForexArbitrageData["cross_venue"][number];
type Costs = Pick<ForexArbitrageInputs, "fee_bps" | "min_net_bps" | "read_at_ms">;

/** What keeps a buyer from dealing at both prices, the plainest reason first; null when nothing is known to. */
function findObstacle(crossed: Omit<Crossed, "not_executable">, { min_net_bps }: Costs): Crossed["not_executable"] {
  if (crossed.apart_s * 1_000 > APART_MAX_MS) return "apart";
  if (crossed.net_bps < min_net_bps) return "costs";
  return [crossed.buy_at, crossed.sell_at].every((venue) => venue === kraken.id) ? null : "indicative";
}

/**
 * Pairs that one venue bids higher for than another asks, net of the cost of both conversions. A venue that states no
 * time was read just now.
 */
export function listCrossed(
  quotes: readonly FXQuote[],
  costs: Costs & { readonly is_open: boolean },
): ForexArbitrageData["cross_venue"] {
  const timeOf = ({ at_ms }: FXQuote): number => at_ms ?? costs.read_at_ms;
  return quotes.flatMap((sell) =>
    quotes
      .filter((buy) => buy.pair === sell.pair && buy.provider !== sell.provider && sell.bid > buy.ask)
      .map((buy) => {
        const crossed = {
          pair: sell.pair,
          buy_at: buy.provider,
          sell_at: sell.provider,
          edge_bps: bpsOver(sell.bid, buy.ask),
          net_bps: ((sell.bid / buy.ask) * (1 - costs.fee_bps / 1e4) ** 2 - 1) * 1e4,
          apart_s: Math.abs(timeOf(sell) - timeOf(buy)) / 1_000,
        };
        return { ...crossed, not_executable: costs.is_open ? findObstacle(crossed, costs) : "market_closed" };
      }),
  );
}

/** @returns loops of each venue alone; nothing is called an opportunity while the market is closed. */
export function computeArbitrage(
  inputs: ForexArbitrageInputs,
  { now_ms }: { readonly now_ms: number },
): Computed<Draft<ForexArbitrageData>> {
  const { quotes, fee_bps, min_net_bps, read_at_ms } = inputs;
  const is_open = getFXWeek(now_ms).is_open;
  const loops = [...Map.groupBy(quotes, ({ provider }) => provider).values()].flatMap((own) =>
    listLoops(own, { ...inputs, is_open }),
  );
  const fresh = loops.filter(({ is_stale }) => !is_stale).sort((a, b) => b.net_bps - a.net_bps);
  const opportunities = is_open ? fresh.filter(({ net_bps }) => net_bps >= min_net_bps) : [];
  const [best_loop = null] = fresh;
  const isNew = ({ at_ms }: FXQuote): boolean => at_ms === null || read_at_ms - at_ms <= AGE_MAX_MS;
  const verdict =
    opportunities.length > 0 ? "opportunity" : (best_loop?.net_bps ?? -1e4) > WATCH_BPS ? "watch" : "none";
  const data: Draft<ForexArbitrageData> = {
    market_state: is_open ? "open" : "weekend",
    fee_bps_per_leg: fee_bps,
    min_net_bps,
    loops_checked: loops.length,
    opportunities: opportunities.map(explainLoop),
    best_loop: best_loop ? explainLoop(best_loop) : missing("no loop has three fresh prices of one venue"),
    synthetic_crosses: [...Map.groupBy(quotes, ({ provider }) => provider).values()].flatMap(listSynthetic),
    cross_venue: listCrossed(quotes.filter(isNew), { ...inputs, is_open }),
    verdict: is_open && best_loop ? verdict : "not_executable",
  };
  const warnings = [
    ...inputs.warnings,
    ...(best_loop && fresh.every(({ age_s }) => age_s === null) ? ["best_loop: no fresh venue states a time"] : []),
    ...(is_open ? [] : ["opportunities: the market is closed; loops are of its last quotes"]),
  ];
  const times = quotes.flatMap(({ at_ms }) => at_ms ?? read_at_ms);
  return { as_of_ms: Math.min(read_at_ms, Math.max(...times)), data, warnings };
}
