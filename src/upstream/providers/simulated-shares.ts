import { createCalendar, findExchange } from "../../calendars/calendar.ts";
import { toInstant, toLocal } from "../../calendars/zone-time.ts";
import type { SimulatedWorld } from "../../catalog/simulator.ts";

/** Rough prices of shares and funds the simulated venues know, US dollars; they mean nothing else. */
const LEVELS: Readonly<Record<string, number>> = {
  AAPL: 272,
  ABBV: 228,
  AMD: 215,
  AMZN: 226,
  AVGO: 340,
  BA: 195,
  BAC: 53,
  CAT: 560,
  COIN: 260,
  COST: 905,
  CRM: 240,
  CSCO: 77,
  CVX: 152,
  DIS: 106,
  GE: 300,
  GOOGL: 300,
  GS: 800,
  HD: 345,
  IBM: 300,
  INTC: 36,
  JNJ: 203,
  JPM: 305,
  KO: 72,
  LLY: 1_040,
  MA: 545,
  MCD: 308,
  META: 600,
  MRK: 97,
  MSFT: 480,
  MU: 225,
  NFLX: 106,
  NKE: 63,
  NVDA: 182,
  ORCL: 205,
  PEP: 147,
  PFE: 25,
  PG: 147,
  PLTR: 160,
  QQQ: 600,
  SOFI: 27,
  SPY: 665,
  T: 25,
  TMO: 575,
  TSLA: 400,
  UNH: 318,
  V: 330,
  WFC: 84,
  WMT: 105,
  XOM: 117,
};

/** Shares move less than coins: the exponent brings a coin's day to about 1.5 %. */
const CALM = 0.4;
/** What the world gives for a name it has no level of. */
const WORLD_LEVEL = 10;

export const SIMULATED_SHARES: readonly string[] = Object.keys(LEVELS);
export const isSimulatedShare = (symbol: string): boolean => Object.hasOwn(LEVELS, symbol);

/** What the market model says of anything that has a level, from a walk of its own; `calm` says how little it moves. */
export function getSimulatedLevel(
  world: SimulatedWorld,
  name: string,
  {
    level,
    calm = CALM,
    at_ms = world.now(),
  }: { readonly level: number; readonly calm?: number; readonly at_ms?: number },
): number {
  return level * (world.price(`level ${name}`, at_ms) / WORLD_LEVEL) ** calm;
}

const exchange = findExchange("XNYS");
const calendar = exchange ? createCalendar(exchange) : null;
const [PRE, POST] = ["04:00", "20:00"] as const;

/** The last moment up to which somebody in New York traded: nights, weekends and holidays have the evening before. */
function findLastTrading(at_ms: number): number {
  if (!calendar) return at_ms;
  const { date } = toLocal(calendar.zone, at_ms);
  const trades = calendar.isTradingDay(date) && at_ms >= toInstant(calendar.zone, date, PRE);
  const day = trades ? date : (calendar.previousTradingDay(date) ?? date);
  const is_early = (calendar.sessionsOf(day).at(-1)?.close_ms ?? 0) < toInstant(calendar.zone, day, "16:00");
  return Math.min(at_ms, toInstant(calendar.zone, day, is_early ? "17:00" : POST));
}

/** Price of one share at a time, US dollars; it stands still while nobody trades, before and after hours counted. */
export const getSimulatedShare = (
  world: SimulatedWorld,
  symbol: string,
  { at_ms = world.now() }: { readonly at_ms?: number } = {},
): number =>
  getSimulatedLevel(world, `share ${symbol}`, { level: LEVELS[symbol] ?? 50, at_ms: findLastTrading(at_ms) });
