import { type FetchContext, NodeError, readNewest, renderTime, type Source } from "intel-node";
import {
  BLOCK_CHAINS,
  type BlockChain,
  PACE,
  SCANNED_CHAINS,
  type ScannedChain,
  SILENT_MAX_MS,
  WHALE_CHAINS,
  type WhaleChain,
} from "../whales/chains.ts";
import { dropWrapped } from "../whales/scan-native.ts";
import { nativeScans, poolScans, scanNotes, scans, type TransferRow, transfers } from "../whales/tables.ts";

/** Which part of a chain's blocks was read. */
export interface ScannedBlocks {
  readonly chain: BlockChain;
  readonly blocks: number;
  readonly blocks_expected: number;
  /** 0 when it never was. */
  readonly newest_ms: number;
}

/** Which part of a pool's transactions was read. */
interface SampledPool {
  readonly pool: string;
  readonly name: string;
  readonly listed: number;
  readonly read: number;
  readonly newest_ms: number;
}

/** Which part of a chain's blocks was read for ether itself. */
export interface NativeBlocks {
  readonly chain: ScannedChain;
  readonly blocks: number;
  readonly blocks_expected: number;
}

interface ScanNote {
  readonly chain: string;
  readonly at_ms: number;
  readonly what: string;
}

export interface WhaleAlertInputs {
  readonly read_at_ms: number;
  readonly from_ms: number;
  readonly rows: readonly TransferRow[];
  /** Chains with more transfers than can be read: the oldest of them are missing. */
  readonly cut: readonly WhaleChain[];
  readonly scanned: readonly ScannedBlocks[];
  readonly pools: readonly SampledPool[];
  readonly native: readonly NativeBlocks[];
  /** Newest first. */
  readonly notes: readonly ScanNote[];
}

const HOUR_MS = 3_600_000;
const ROWS_MAX = 10_000;
const NOTES_MAX = 200;
const HOSTS: Readonly<Record<WhaleChain, Pick<Source, "provider" | "url">>> = {
  ethereum: { provider: "evm_rpc", url: "eth_getLogs of ethereum" },
  base: { provider: "evm_rpc", url: "eth_getLogs of base" },
  bitcoin: { provider: "blockstream", url: "https://blockstream.info/api/block/{hash}/raw" },
  solana: { provider: "solana_rpc", url: "getTransaction of pools on solana" },
};

/** Whose blocks come by chance and not by the clock is expected to have as many as its heights say. */
async function readBlocks(context: FetchContext, chain: BlockChain, from_ms: number): Promise<ScannedBlocks> {
  const at_ms = { from: from_ms, to: context.now_ms };
  const rows = await context.table(scans).find({ where: { chain, at_ms }, order: ["-to_block"], limit: 1_000 });
  const blocks = rows.reduce((sum, row) => sum + row.to_block - row.from_block + 1, 0);
  const newest_ms = Math.max(0, ...rows.map((row) => row.at_ms));
  const [newest, oldest] = [rows[0], rows.at(-1)];
  const { block_s } = PACE[chain];
  const by_clock = Math.floor((context.now_ms - from_ms) / 1000 / block_s);
  if (chain !== "bitcoin" || !newest || !oldest) return { chain, blocks, blocks_expected: by_clock, newest_ms };
  const before = Math.floor((oldest.at_ms - from_ms) / 1000 / block_s);
  const was_read = (await context.table(scans).count({ chain, to_block: oldest.from_block - 1 })) > 0;
  const spanned = newest.to_block - oldest.from_block + 1;
  return { chain, blocks, blocks_expected: spanned + (was_read ? 0 : before), newest_ms };
}

async function readPools(context: FetchContext, from_ms: number): Promise<readonly SampledPool[]> {
  const at_ms = { from: from_ms, to: context.now_ms };
  const rows = await context
    .table(poolScans)
    .find({ where: { chain: "solana", at_ms }, order: ["at_ms"], limit: 2_000 });
  const pools = new Map<string, SampledPool>();
  for (const { pool, name, listed, read, at_ms: newest_ms } of rows) {
    const known = pools.get(pool) ?? { listed: 0, read: 0 };
    pools.set(pool, { pool, name, listed: known.listed + listed, read: known.read + read, newest_ms });
  }
  return [...pools.values()];
}

async function readNative(context: FetchContext, chain: ScannedChain, from_ms: number): Promise<NativeBlocks> {
  const at_ms = { from: from_ms, to: context.now_ms };
  const rows = await context.table(nativeScans).find({ where: { chain, at_ms }, limit: 1_000 });
  const blocks_expected = Math.floor((context.now_ms - from_ms) / 1000 / PACE[chain].block_s);
  const blocks = rows.reduce((sum, row) => sum + row.blocks, 0);
  return { chain, blocks: Math.min(blocks, blocks_expected), blocks_expected };
}

/** @throws NodeError upstream_unavailable when no chain was scanned lately. */
export async function fetchWhaleAlert(
  context: FetchContext,
  { hours, chain }: { readonly hours: number; readonly chain?: WhaleChain },
): Promise<WhaleAlertInputs> {
  const { now_ms } = context;
  const from_ms = now_ms - hours * HOUR_MS;
  const isAsked = (one: WhaleChain): boolean => (chain ?? one) === one;
  const at_ms = { from: from_ms, to: now_ms };
  const [scanned, pools, native, notes] = await Promise.all([
    Promise.all(BLOCK_CHAINS.filter(isAsked).map((one) => readBlocks(context, one, from_ms))),
    isAsked("solana") ? readPools(context, from_ms) : [],
    Promise.all(SCANNED_CHAINS.filter(isAsked).map((one) => readNative(context, one, from_ms))),
    context.table(scanNotes).find({ where: { at_ms }, order: ["-at_ms"], limit: NOTES_MAX }),
  ]);
  const newestOf = (one: WhaleChain): number =>
    one === "solana"
      ? Math.max(0, ...pools.map(({ newest_ms }) => newest_ms))
      : (scanned.find((each) => each.chain === one)?.newest_ms ?? 0);
  const live = WHALE_CHAINS.filter((one) => isAsked(one) && now_ms - newestOf(one) <= SILENT_MAX_MS[one]);
  if (live.length === 0) {
    const who = chain ?? "any chain";
    throw new NodeError("upstream_unavailable", `There was no scan of ${who} lately. Nothing was charged.`);
  }
  for (const one of live) {
    const source: Source = { ...HOSTS[one], fetched_at: renderTime(newestOf(one)), ok: true };
    context.cite(context.simulated ? { ...source, simulated: true } : source);
  }
  const read = await Promise.all(
    live.map((one) =>
      readNewest(context, context.table(transfers), {
        where: { chain: one },
        by: "at_ms",
        from: from_ms,
        to: now_ms,
        rows_max: ROWS_MAX,
      }),
    ),
  );
  const asked = notes.filter((one) => WHALE_CHAINS.some((name) => name === one.chain && isAsked(name)));
  const rows = await context.inTurn(() => dropWrapped(read.flatMap((one) => one.rows)));
  const cut = live.filter((_, index) => read[index]?.is_cut);
  return { read_at_ms: now_ms, from_ms, rows, cut, scanned, pools, native, notes: asked };
}
