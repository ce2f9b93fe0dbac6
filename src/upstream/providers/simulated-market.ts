import type { SimulatedAnswer, SimulatedWorld } from "../../catalog/simulator.ts";
import { openBarSeries, readOwnBar, type SimulatedBarSeries } from "./simulated-bars.ts";

/** Coins the simulated venues list against US dollars or USDT. */
export const SIMULATED_COINS: readonly string[] = (
  "BTC ETH SOL BNB XRP ADA DOGE AVAX LINK LTC TRX DOT BCH SUI NEAR UNI AAVE ARB OP APT STRK POL MNT LDO CRV PENDLE " +
  "JUP ENA TAO RENDER FET VIRTUAL WLD SHIB PEPE BONK WIF PYTH FIL AR TIA XLM HYPE ONDO MKR GALA IMX SAND AXS ZEC XMR"
).split(" ");
/** Coins of a tiny price, which some venues list by the thousand. */
export const SIMULATED_BY_THOUSAND: readonly string[] = ["SHIB", "PEPE", "BONK"];
const LISTED: readonly string[] = [...SIMULATED_COINS, "USDT", "USDC", "PAXG"];

export const isListed = (symbol: string | undefined): symbol is string =>
  symbol !== undefined && LISTED.includes(symbol);

/** A price as venues write it: 8 significant digits, never with an exponent. */
export function renderPrice(price: number): string {
  const digits = Math.max(0, Math.min(12, 7 - Math.floor(Math.log10(price))));
  return price.toFixed(digits);
}

export interface SimulatedQuote {
  readonly bid: string;
  readonly ask: string;
  readonly last: string;
  readonly volume: string;
}

/** How far a venue's middle is off the world's price, and half its spread: a few basis points, as in real venues. */
const OFFSET_RATIO_MAX = 0.0003;
const HALF_SPREAD_RATIO = 0.0001;
const STEP_MS = 1_000;

/** The best bid and ask one venue shows at the world's present time. */
export function getSimulatedQuote(world: SimulatedWorld, venue: string, symbol: string): SimulatedQuote {
  const step = Math.floor(world.now() / STEP_MS);
  const offset = (world.noise(`quote ${venue} ${symbol} ${step}`) * 2 - 1) * OFFSET_RATIO_MAX;
  const mid = world.price(symbol) * (1 + offset);
  return {
    bid: renderPrice(mid * (1 - HALF_SPREAD_RATIO)),
    ask: renderPrice(mid * (1 + HALF_SPREAD_RATIO)),
    last: renderPrice(mid),
    volume: (500 + 9_500 * world.noise(`volume ${venue} ${symbol} ${Math.floor(step / 60)}`)).toFixed(8),
  };
}

export interface SimulatedBar {
  /** Opening time, ms. */
  readonly t_ms: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** In the base asset; always above 0. */
  readonly volume: number;
  /** Whether its time is over. */
  readonly closed: boolean;
}

export interface SimulatedWindow {
  readonly symbol: string;
  /** Whose bars: venues are a few basis points apart. Without it, the world's own. */
  readonly venue?: string;
  readonly step_ms: number;
  /** Opening times from here to there, both included. */
  readonly from_ms: number;
  readonly to_ms: number;
  readonly bars_max: number;
  /** Which end of the window stays when it holds too many bars. */
  readonly keep: "oldest" | "newest";
}

/** A venue's distance from the market: the same for all of its bars, so that each opens where the one before closed. */
function getOffset(world: SimulatedWorld, { symbol, venue }: SimulatedWindow): number {
  return venue === undefined ? 0 : (world.noise(`bars ${venue} ${symbol}`) * 2 - 1) * OFFSET_RATIO_MAX;
}

/** One bar from the world's price curve: the same for every window it appears in. */
function getSimulatedBar(
  world: SimulatedWorld,
  { symbol, step_ms }: SimulatedWindow,
  { t_ms, offset, kept }: { readonly t_ms: number; readonly offset: number; readonly kept: SimulatedBarSeries | null },
): SimulatedBar {
  const now_ms = world.now();
  const closed = t_ms + step_ms <= now_ms;
  const read = () => readOwnBar(world, { symbol, step_ms, t_ms, end_ms: Math.min(t_ms + step_ms, now_ms) });
  // A bar that is still open has another price each time.
  const { open, high, low, close, above, below, volume } = closed && kept ? kept.get(t_ms, read) : read();
  const at_venue = 1 + offset;
  return {
    t_ms,
    open: open * at_venue,
    high: high * at_venue * above,
    low: low * at_venue * below,
    close: close * at_venue,
    volume,
    closed,
  };
}

/** Bars of a window, oldest first, the one still open included. Bars start at multiples of their length since 1970. */
export function getSimulatedBars(world: SimulatedWorld, window: SimulatedWindow): SimulatedBar[] {
  const { step_ms, bars_max, keep } = window;
  const first = Math.ceil(Math.max(0, window.from_ms) / step_ms);
  const last = Math.floor(Math.min(window.to_ms, world.now()) / step_ms);
  const start = keep === "newest" ? Math.max(first, last - bars_max + 1) : first;
  const end = keep === "newest" ? last : Math.min(last, first + bars_max - 1);
  const bars: SimulatedBar[] = [];
  const kept = world.market ? openBarSeries(world.market, `${window.symbol} ${step_ms}`) : null;
  const offset = getOffset(world, window);
  for (let index = start; index <= end; index += 1) {
    bars.push(getSimulatedBar(world, window, { t_ms: index * step_ms, offset, kept }));
  }
  return bars;
}

/** A whole number from a query; undefined when it is not there or not one. */
export function readWhole(text: string | null | undefined): number | undefined {
  return text !== null && text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The limit a caller asks for, within 1 and the venue's own. */
export const readLimit = (text: string | null, fallback: number, max: number): number =>
  Math.min(max, Math.max(1, readWhole(text) ?? fallback));

export const unknownPath = (): SimulatedAnswer => ({ json: { message: "Not Found" }, status: 404 });
