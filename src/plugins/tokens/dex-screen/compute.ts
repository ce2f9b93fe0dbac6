import { type Computed, NodeError, renderTime } from "intel-node";
import type { DexPair } from "intel-node/providers/dexscreener/pairs";
import { foldAddress, hasKnownIssuers, isIssuerToken } from "intel-node/providers/issuer-tokens";
import { cleanName, cleanSymbol, foldSymbol, isDeceptive, looksIssued } from "../text/clean-text.ts";
import type { DexScreenInputs } from "./fetch.ts";
import type { DexScreenData } from "./schema.ts";

type Row = DexScreenData["results"][number];
type Flag = Row["flags"][number];

const THIN_USD = 10_000;
const DAY_H = 24;
const HOUR_MS = 3_600_000;
const TURNOVER_MAX = 20;
const WASH = { volume: 100_000, trades: 50 };
const ONE_SIDED = 20;

const over = (a: number | null, b: number | null): number | null => (a === null || b === null || b <= 0 ? null : a / b);

/** The same pool seen from its quote token: the price is the inverse, purchases are sales; changes are not known. */
export function turnPair(pair: DexPair): DexPair {
  const { price_native, price_usd } = pair;
  return {
    ...pair,
    base: pair.quote,
    quote: pair.base,
    price_native: price_native === null ? null : 1 / price_native,
    price_usd: price_native === null || price_usd === null ? null : price_usd / price_native,
    buys_h1: pair.sells_h1,
    sells_h1: pair.buys_h1,
    buys_h24: pair.sells_h24,
    sells_h24: pair.buys_h24,
    change_h1_pct: null,
    change_h24_pct: null,
    fdv_usd: null,
    market_cap_usd: null,
  };
}

function listFlags(
  pair: DexPair,
  seen: { readonly age_hours: number | null; readonly turnover: number | null },
): readonly Flag[] {
  const { liquidity_usd, volume_h24_usd, buys_h24, sells_h24, base, chain } = pair;
  const trades = (buys_h24 ?? 0) + (sells_h24 ?? 0);
  const few = buys_h24 !== null && sells_h24 !== null && trades < WASH.trades;
  const copies = hasKnownIssuers(chain) && looksIssued(base.symbol) && !isIssuerToken(chain, base.address);
  const flags: readonly (readonly [Flag, boolean])[] = [
    ["thin", liquidity_usd !== null && liquidity_usd < THIN_USD],
    ["new", seen.age_hours !== null && seen.age_hours < DAY_H],
    ["wash_suspect", (seen.turnover ?? 0) > TURNOVER_MAX || ((volume_h24_usd ?? 0) > WASH.volume && few)],
    ["one_sided", (buys_h24 ?? 0) >= ONE_SIDED && sells_h24 === 0],
    ["look_alike", copies || isDeceptive(base.symbol + base.name)],
  ];
  return flags.flatMap(([flag, holds]) => (holds ? [flag] : []));
}

export function describePair(pair: DexPair, now_ms: number): Row {
  const age_hours = pair.created_at_ms === null ? null : Math.max(0, (now_ms - pair.created_at_ms) / HOUR_MS);
  const turnover = over(pair.volume_h24_usd, pair.liquidity_usd);
  const trades = pair.buys_h24 === null || pair.sells_h24 === null ? null : pair.buys_h24 + pair.sells_h24;
  const side = ({ address, symbol, name }: DexPair["base"]) => ({
    address,
    symbol: cleanSymbol(symbol),
    name: cleanName(name),
  });
  return {
    chain: pair.chain,
    dex: cleanName(pair.dex),
    pair_address: pair.pair_address,
    labels: pair.labels.map(cleanSymbol),
    base: side(pair.base),
    quote: side(pair.quote),
    price_usd: pair.price_usd,
    price_native: pair.price_native,
    liquidity_usd: pair.liquidity_usd,
    volume_h24_usd: pair.volume_h24_usd,
    volume_h1_usd: pair.volume_h1_usd,
    change_h1_pct: pair.change_h1_pct,
    change_h24_pct: pair.change_h24_pct,
    buys_h24: pair.buys_h24,
    sells_h24: pair.sells_h24,
    turnover,
    buy_share: over(pair.buys_h24, trades),
    fdv_usd: pair.fdv_usd,
    market_cap_usd: pair.market_cap_usd,
    pair_created_at: pair.created_at_ms === null ? null : renderTime(pair.created_at_ms),
    age_hours,
    flags: [...listFlags(pair, { age_hours, turnover })],
  };
}

/**
 * Flags rows whose symbol, as a reader takes it, is that of another token of the answer. Tokens of issuers known by
 * their address come first: they are what the symbol means, on every chain the issuer is on, and collide with nothing.
 */
function flagCollisions(rows: readonly Row[]): readonly Row[] {
  const isIssued = ({ chain, base }: Row): boolean => isIssuerToken(chain, base.address);
  const tokens = new Map<string, Set<string>>();
  for (const row of rows) {
    const symbol = foldSymbol(row.base.symbol);
    const token = isIssued(row) ? "the issuers'" : `${row.chain} ${foldAddress(row.chain, row.base.address)}`;
    tokens.set(symbol, (tokens.get(symbol) ?? new Set()).add(token));
  }
  return rows.map((row) => {
    const same = tokens.get(foldSymbol(row.base.symbol))?.size ?? 0;
    return same >= 2 && !isIssued(row) ? { ...row, flags: [...row.flags, "symbol_collision"] } : row;
  });
}

export interface DexScreenQuery {
  readonly query?: string;
  readonly chain?: string;
  readonly limit: number;
  readonly min_liquidity_usd: number;
}

/** @throws NodeError subject_not_found when nothing is left. */
export function computeDexScreen(inputs: DexScreenInputs, asked: DexScreenQuery): Computed<DexScreenData> {
  const { query, chain, limit, min_liquidity_usd } = asked;
  const wanted = (query ?? "").toLowerCase();
  const turned = inputs.pairs.map((pair) => (pair.quote.address.toLowerCase() === wanted ? turnPair(pair) : pair));
  const seen = new Set<string>();
  const kept = turned.filter((pair) => {
    const id = `${pair.chain} ${pair.pair_address}`;
    const is_kept = pair.price_usd !== null && (chain ?? pair.chain) === pair.chain && !seen.has(id);
    seen.add(id);
    return is_kept && (pair.liquidity_usd === null || pair.liquidity_usd >= min_liquidity_usd);
  });
  if (kept.length === 0) throw new NodeError("subject_not_found", "No pool that goes with the query is listed.");
  const isExact = (pair: DexPair) =>
    pair.base.address.toLowerCase() === wanted || pair.pair_address.toLowerCase() === wanted;
  const size = (pair: DexPair) => (query === undefined ? pair.volume_h24_usd : pair.liquidity_usd) ?? 0;
  const sorted = kept.sort((a, b) => Number(isExact(b)) - Number(isExact(a)) || size(b) - size(a));
  const rows = flagCollisions(sorted.map((pair) => describePair(pair, inputs.read_at_ms))).slice(0, limit);
  const distinct_tokens = new Set(rows.map(({ chain: on, base }) => `${on} ${foldAddress(on, base.address)}`)).size;
  return {
    as_of_ms: inputs.read_at_ms,
    data: {
      query: query === undefined ? null : cleanName(query),
      mode: query === undefined ? "trending" : "search",
      count: rows.length,
      results: [...rows],
      identity: {
        distinct_tokens,
        note: distinct_tokens > 1 ? "Several tokens: only chain and address say which is meant." : "One token.",
      },
    },
    warnings: [
      "results: no source of these pools states a time; they are taken to be as new as the call. No second " +
        "source is licensed by default",
      ...(query === undefined
        ? ["query: none was named; these are the busiest pools of reference tokens, by volume"]
        : []),
      ...inputs.silent.map((one) => `results: pools of ${one} are missing, the table did not answer`),
    ],
  };
}
