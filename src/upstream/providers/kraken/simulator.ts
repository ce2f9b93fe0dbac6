import { defineSimulator, type SimulatedAnswer, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedBook } from "../simulated-book.ts";
import { getSimulatedCross } from "../simulated-fx.ts";
import {
  getSimulatedBars,
  getSimulatedQuote,
  isListed,
  readLimit,
  readWhole,
  renderPrice,
} from "../simulated-market.ts";
import { getSimulatedShare, isSimulatedShare } from "../simulated-shares.ts";

const BARS_MAX = 720;
const PATHS = ["/0/public/Ticker", "/0/public/Depth", "/0/public/OHLC", "/0/public/AssetPairs"];
const INTERVALS_MIN = [1, 5, 15, 30, 60, 240, 1440, 10080];
const ASSETS: Readonly<Record<string, string>> = { XBT: "BTC", XDG: "DOGE" };
/** The older coins appear under four-letter names in answers. */
const RESULT_KEYS: Readonly<Record<string, string>> = {
  BTC: "XXBTZUSD",
  ETH: "XETHZUSD",
  LTC: "XLTCZUSD",
  XRP: "XXRPZUSD",
  DOGE: "XDGUSD",
  USDT: "USDTZUSD",
};

const error = (text: string): SimulatedAnswer => ({ json: { error: [text] } });

/** A share's token, such as "AAPLxUSD": a few basis points off the share. */
function getShareTicker(world: SimulatedWorld, symbol: string) {
  const mid = getSimulatedShare(world, symbol) * (1 + 0.0005 * (world.noise(`token ${symbol}`) - 0.5));
  const [bid, ask] = [(mid * 0.9999).toFixed(2), (mid * 1.0001).toFixed(2)];
  const last = mid.toFixed(2);
  const [a, b] = [
    [ask, "12", "12.000"],
    [bid, "9", "9.000"],
  ];
  return {
    a,
    b,
    c: [last, "0.5"],
    v: ["812.1", "990.4"],
    p: [last, last],
    t: [410, 512],
    l: [bid, bid],
    h: [ask, ask],
    o: last,
  };
}

function getTicker(world: SimulatedWorld, symbol: string) {
  const quote = getSimulatedQuote(world, "kraken", symbol);
  const day_ago = renderPrice(world.price(symbol, world.now() - 86_400_000));
  return {
    a: [quote.ask, "1", "1.000"],
    b: [quote.bid, "1", "1.000"],
    c: [quote.last, "0.01000000"],
    v: [quote.volume, quote.volume],
    p: [quote.last, quote.last],
    t: [12_000, 30_000],
    l: [quote.bid, quote.bid],
    h: [quote.ask, quote.ask],
    o: day_ago,
  };
}

/** Currencies it lists against one another; AUD/JPY is listed, and not traded. */
const CURRENCY_PAIRS =
  "EUR/USD GBP/USD USD/JPY USD/CHF AUD/USD USD/CAD EUR/GBP EUR/JPY EUR/CHF EUR/AUD EUR/CAD AUD/JPY".split(" ");
const isCurrencyPair = ([base, quote]: readonly [string, string]): boolean =>
  CURRENCY_PAIRS.includes(`${base}/${quote}`);

/** Every pair under its internal name, as AssetPairs has it. */
function listPairs(): Readonly<Record<string, object>> {
  const coins = Object.entries(ASSETS).map(([name, symbol]) => ({ wsname: `${name}/USD`, key: RESULT_KEYS[symbol] }));
  const currencies = CURRENCY_PAIRS.map((wsname) => ({ wsname, key: `Z${wsname.replace("/", "Z")}` }));
  return Object.fromEntries(
    [...coins, ...currencies].map(({ wsname, key }) => {
      const [base = "", quote = ""] = wsname.split("/");
      const status = wsname === "AUD/JPY" ? "cancel_only" : "online";
      const names = { altname: `${base}${quote}`, wsname, aclass_base: "currency", base, quote };
      return [key ?? names.altname, { ...names, lot: "unit", fees: [[0, 0.2]], status }];
    }),
  );
}

/** Currencies trade there at weekends too; the yen with a spread that nobody can use. */
function getCurrencyTicker(world: SimulatedWorld, base: string, quote: string) {
  const mid = getSimulatedCross(world, base, quote) * (1 + 0.00004 * (world.noise(`fx ${base}${quote}`) - 0.5));
  const half = quote === "JPY" && base === "USD" ? 0.01 : 0.00006;
  const decimals = mid > 20 ? 3 : 5;
  const [bid, ask, last] = [mid * (1 - half), mid * (1 + half), mid].map((price) => price.toFixed(decimals));
  const whole = { v: ["812.1", "990.4"], p: [last, last], t: [410, 512], l: [bid, bid], h: [ask, ask], o: last };
  return { a: [ask, "500", "500.000"], b: [bid, "500", "500.000"], c: [last, "25.0"], ...whole };
}

/** A book whose best levels changed just now, the others before. */
function getDepth(world: SimulatedWorld, symbol: string, query: URLSearchParams) {
  const levels = readLimit(query.get("count"), 100, 500);
  const { asks, bids } = getSimulatedBook(world, { venue: "kraken", symbol, levels });
  const now_s = Math.floor(world.now() / 1000);
  const date = (rows: [string, string][]) =>
    rows.map(([price, quantity], index) => [price, Number(quantity).toFixed(3), now_s - 2 * index]);
  return { asks: date(asks), bids: date(bids) };
}

function getOHLC(world: SimulatedWorld, symbol: string, query: URLSearchParams) {
  const step_ms = (readWhole(query.get("interval")) ?? 1) * 60_000;
  const from_ms = (readWhole(query.get("since")) ?? 0) * 1000;
  const window = {
    symbol,
    venue: "kraken",
    step_ms,
    from_ms,
    to_ms: world.now(),
    bars_max: BARS_MAX,
    keep: "newest",
  } as const;
  const bars = getSimulatedBars(world, window);
  const rows = bars.map((bar) => [
    bar.t_ms / 1000,
    renderPrice(bar.open),
    renderPrice(bar.high),
    renderPrice(bar.low),
    renderPrice(bar.close),
    renderPrice((bar.high + bar.low + bar.close) / 3),
    bar.volume.toFixed(8),
    100 + Math.floor(bar.volume),
  ]);
  return { rows, last: (bars.at(-2)?.t_ms ?? 0) / 1000 };
}

export const simulator = defineSimulator({
  provider: "kraken",
  respond({ path, query }, world) {
    const pair = query.get("pair") ?? "";
    const base = pair.endsWith("USD") ? pair.slice(0, -3) : "";
    const symbol = ASSETS[base] ?? base;
    if (!PATHS.includes(path)) return error("EGeneral:Unknown method");
    if (path === "/0/public/AssetPairs") return { json: { error: [], result: listPairs() } };
    if (query.get("asset_class") === "tokenized_asset") {
      const share = /^([A-Z]+)xUSD$/.exec(pair)?.[1] ?? "";
      const is_listed = isSimulatedShare(share) && path === "/0/public/Ticker";
      if (!is_listed) return error("EQuery:Unknown asset pair");
      return { json: { error: [], result: { [pair]: getShareTicker(world, share) } } };
    }
    const currencies = pair.split(",").map((one) => [one.slice(0, 3), one.slice(3)] as const);
    if (path === "/0/public/Ticker" && currencies.every(isCurrencyPair)) {
      const tickers = currencies.map(([from, to]) => [`Z${from}Z${to}`, getCurrencyTicker(world, from, to)]);
      return { json: { error: [], result: Object.fromEntries(tickers) } };
    }
    if (!isListed(symbol)) return error("EQuery:Unknown asset pair");
    const key = RESULT_KEYS[symbol] ?? `${symbol}USD`;
    if (path === "/0/public/Ticker") return { json: { error: [], result: { [key]: getTicker(world, symbol) } } };
    if (path === "/0/public/Depth") return { json: { error: [], result: { [key]: getDepth(world, symbol, query) } } };
    if (!INTERVALS_MIN.includes(readWhole(query.get("interval")) ?? 1)) return error("EGeneral:Invalid arguments");
    const { rows, last } = getOHLC(world, symbol, query);
    return { json: { error: [], result: { [key]: rows, last } } };
  },
});
