import { type FetchContext, NodeError, readPages, renderTime, type Source } from "intel-node";
import { SCANNED, SCANNED_CHAINS, type ScannedChain, type TradeChain } from "../whales/chains.ts";
import { describeNotes, type ScanNote } from "../whales/notes.ts";
import {
  type TradePoolRow,
  type TradeRow,
  tradeNotes,
  tradePoolScans,
  tradePools,
  tradeScans,
  trades,
} from "./tables.ts";

/** What was read, with the trades themselves: tens of thousands, which no answer is handed. */
export interface ReadTrades {
  readonly stored: StoredTrades;
  /** In the order of each chain. */
  readonly rows: readonly TradeRow[];
}

/** The part of a chain that was read in a window. */
export interface TradeCoverage {
  readonly chain: ScannedChain;
  readonly blocks_scanned: number;
  readonly blocks_expected: number;
  readonly pools: number;
  readonly newest_ms: number;
}

/** Which part of a watched pool's transactions on Solana was read in a window. */
export interface SampledPool {
  readonly pool: string;
  readonly name: string;
  readonly listed: number;
  readonly read: number;
  readonly newest_ms: number;
}

export interface StoredTrades {
  readonly read_at_ms: number;
  readonly from_ms: number;
  /** Trades of the window, of all wallets. */
  readonly trades: number;
  readonly coverage: readonly TradeCoverage[];
  /** Of Solana; empty where it was not asked for. */
  readonly pools: readonly SampledPool[];
  /** Tokens of the pools, by chain and address. */
  readonly tokens: ReadonlyMap<string, Pick<TradePoolRow, "symbol" | "pool_created_at_ms">>;
  /** Whether there were more trades than can be read: then the oldest are missing. */
  readonly is_cut: boolean;
  /** What happened to the scans of the window, newest first. */
  readonly notes: readonly ScanNote[];
}

const DAY_MS = 86_400_000;
/** A scan older than this is out of date. */
const SILENT_MAX_MS = 45 * 60_000;
const ROWS_MAX = 60_000;
const NOTES_MAX = 200;

export const tokenKey = (chain: string, token: string): string => `${chain} ${token}`;

type RowContext = Pick<FetchContext, "table" | "inTurn" | "now_ms">;
type WhoseRows = { readonly chain: TradeChain; readonly wallet?: string };

/**
 * Trades of a window in the order of their chain, read a page at a time along an index, from the newest block back:
 * nothing is sorted. Tokens are looked at here, so that no page walks over more rows than it has.
 * @returns is_cut: whether there are more than `rows_max`; then the oldest are missing.
 */
export async function readRows(
  context: RowContext,
  { from_ms, tokens, ...whose }: WhoseRows & { readonly from_ms: number; readonly tokens?: readonly string[] },
  rows_max: number,
): Promise<{ readonly rows: readonly TradeRow[]; readonly is_cut: boolean }> {
  const wanted = tokens && new Set(tokens);
  const isWanted = ({ at_ms, token }: TradeRow): boolean =>
    at_ms >= from_ms && at_ms <= context.now_ms && (wanted?.has(token) ?? true);
  const rows: TradeRow[] = [];
  const query = { where: whose, by: "block", then_by: ["-log_index"] } as const;
  for await (const page of readPages(context, context.table(trades), query)) {
    // Earlier rows were read before: a page that is older than the window ends the loop.
    if (page.every(({ at_ms }) => at_ms < from_ms)) break;
    const found = page.filter(isWanted);
    if (found.length > 0 && rows.length >= rows_max) return { rows: rows.reverse(), is_cut: true };
    for (const row of found) rows.push(row);
  }
  return { rows: rows.reverse(), is_cut: false };
}

async function readCoverage(context: FetchContext, chain: ScannedChain, from_ms: number): Promise<TradeCoverage> {
  let [blocks, pools, newest_ms] = [0, 0, 0];
  const query = { where: { chain }, by: "at_ms", from: from_ms, to: context.now_ms } as const;
  for await (const page of readPages(context, context.table(tradeScans), query)) {
    if (newest_ms === 0) [pools, newest_ms] = [page[0]?.pools ?? 0, page[0]?.at_ms ?? 0];
    for (const { from_block, to_block } of page) blocks += to_block - from_block + 1;
  }
  const blocks_expected = Math.floor((context.now_ms - from_ms) / 1000 / SCANNED[chain].block_s);
  return { chain, blocks_scanned: Math.min(blocks, blocks_expected), blocks_expected, pools, newest_ms };
}

async function readPools(context: FetchContext, from_ms: number): Promise<readonly SampledPool[]> {
  const pools = new Map<string, SampledPool>();
  const query = { by: "at_ms", from: from_ms, to: context.now_ms } as const;
  for await (const page of readPages(context, context.table(tradePoolScans), query)) {
    for (const { pool, name, listed, read, at_ms: newest_ms } of page) {
      const known = pools.get(pool) ?? { listed: 0, read: 0, newest_ms };
      pools.set(pool, { pool, name, ...known, listed: known.listed + listed, read: known.read + read });
    }
  }
  return [...pools.values()];
}

/**
 * Trades of the last days that jobs stored, of all wallets or of one, and which part of the chains was read.
 * @throws NodeError upstream_unavailable when no chain was read within 45 minutes.
 */
export async function readTrades(
  context: FetchContext,
  { days, chain, wallet }: { readonly days: number; readonly chain?: TradeChain; readonly wallet?: string },
): Promise<ReadTrades> {
  const from_ms = context.now_ms - days * DAY_MS;
  const chains = SCANNED_CHAINS.filter((one) => (chain ?? one) === one);
  const [coverage, pools] = await Promise.all([
    Promise.all(chains.map((one) => readCoverage(context, one, from_ms))),
    (chain ?? "solana") === "solana" ? readPools(context, from_ms) : [],
  ]);
  const newest_ms = Math.max(0, ...pools.map((one) => one.newest_ms));
  const read_chains = [...coverage, ...(pools.length > 0 ? [{ chain: "solana" as const, newest_ms }] : [])];
  const live = read_chains.filter((one) => context.now_ms - one.newest_ms <= SILENT_MAX_MS);
  if (live.length === 0) {
    throw new NodeError("upstream_unavailable", "No swaps were read in the last 45 minutes. Nothing was charged.");
  }
  for (const { chain: one, newest_ms } of live) {
    const host =
      one === "solana"
        ? { provider: "solana_rpc", url: "getTransaction of pools on solana" }
        : { provider: "evm_rpc", url: `eth_getLogs of pools on ${one}` };
    const source: Source = { ...host, fetched_at: renderTime(newest_ms), ok: true };
    context.cite(context.simulated ? { ...source, simulated: true } : source);
  }
  const read = await Promise.all(
    live.map(({ chain: one }) =>
      readRows(context, { chain: one, from_ms, ...(wallet === undefined ? {} : { wallet }) }, ROWS_MAX),
    ),
  );
  const at_ms = { from: from_ms, to: context.now_ms };
  const asked = chain === undefined ? [...chains, "solana"] : [chain];
  const [of_tokens, notes] = await Promise.all([
    context.table(tradePools).find({ limit: 1_000, order: ["chosen_at_ms"] }),
    context.table(tradeNotes).find({ where: { chain: { in: asked }, at_ms }, order: ["-at_ms"], limit: NOTES_MAX }),
  ]);
  const rows = read.flatMap((one) => one.rows);
  const stored = {
    read_at_ms: context.now_ms,
    from_ms,
    coverage,
    pools,
    notes,
    trades: rows.length,
    tokens: new Map(of_tokens.map((pool) => [tokenKey(pool.chain, pool.token), pool])),
    is_cut: read.some(({ is_cut }) => is_cut),
  };
  return { stored, rows };
}

/** When the newest of these trades were read, ms. */
export const getNewest = ({ coverage, pools }: Pick<StoredTrades, "coverage" | "pools">): number =>
  Math.max(...[...coverage, ...pools].map(({ newest_ms }) => newest_ms));

/** Warnings of every answer made of these trades. */
export function describeGaps({ coverage, pools, is_cut, read_at_ms, notes }: StoredTrades): readonly string[] {
  const thin = coverage.filter(({ blocks_scanned, blocks_expected }) => blocks_scanned < 0.5 * blocks_expected);
  return [
    ...thin.map(
      ({ chain, blocks_scanned, blocks_expected }) =>
        `sampled: thin_history, ${blocks_scanned} of ${blocks_expected} blocks of ${chain} were read`,
    ),
    ...coverage
      .filter(({ newest_ms }) => read_at_ms - newest_ms > SILENT_MAX_MS)
      .map(({ chain }) => `sampled.${chain}: its nodes were not read in the last 45 minutes, nothing of it counts`),
    ...pools.map(
      ({ name, listed, read }) => `sampled: of ${name} on solana ${read} of ${listed} transactions were read`,
    ),
    ...describeNotes(notes, "sampled"),
    ...(is_cut ? ["sampled.trades: the oldest trades of the window are left out, there are too many"] : []),
  ];
}
