import type { SimulatedWorld } from "../../catalog/simulator.ts";
import { getSimulatedQuote, renderPrice } from "./simulated-market.ts";

/** Price and quantity as venues write them, best first. */
export interface SimulatedBook {
  readonly bids: [price: string, quantity: string][];
  readonly asks: [price: string, quantity: string][];
}

/** What a level is worth on average, US dollars, where the coin is large; elsewhere a fifth of it. */
const LEVEL_USD = 4_000;
const LARGE = ["BTC", "ETH", "SOL", "XRP", "USDT"];
/** How deep a venue's books are beside the others'. */
const DEPTHS: Readonly<Record<string, number>> = {
  gemini: 0.3,
  bitstamp: 0.6,
  cryptocom: 0.8,
  binance: 3,
  coinbase: 2,
};
/** Mean distance of two levels, and how often the book moves. */
const GAP_RATIO = 0.00006;
const STEP_MS = 1_000;
const LEVELS_MAX = 200;

/** The book one venue shows at the world's present time. It begins with the best bid and ask of `getSimulatedQuote`. */
export function getSimulatedBook(
  world: SimulatedWorld,
  { venue, symbol, levels }: { readonly venue: string; readonly symbol: string; readonly levels: number },
): SimulatedBook {
  const quote = getSimulatedQuote(world, venue, symbol);
  const step = Math.floor(world.now() / STEP_MS);
  const mean_usd = LEVEL_USD * (DEPTHS[venue] ?? 1) * (LARGE.includes(symbol) ? 1 : 0.2);
  const side = (name: "bid" | "ask"): [string, string][] => {
    const rows: [string, string][] = [];
    const best = Number(quote[name]);
    let gaps = 0;
    for (let level = 0; level < Math.min(levels, LEVELS_MAX); level += 1) {
      const noise = world.noise(`book ${venue} ${symbol} ${name} ${level} ${step}`);
      if (level > 0) gaps += GAP_RATIO * (0.5 + noise);
      const price = best * (name === "bid" ? 1 - gaps : 1 + gaps);
      rows.push([renderPrice(price), ((mean_usd * (0.25 + 1.5 * noise)) / price).toFixed(8)]);
    }
    return rows;
  };
  return { bids: side("bid"), asks: side("ask") };
}
