import { type FetchContext, NodeError, renderTime, type Source } from "intel-node";
import { SCANNED_CHAINS, type ScannedChain } from "../shared/whales/scan.ts";
import { scans, type TransferRow, transfers } from "../shared/whales/tables.ts";

export interface WhaleAlertInputs {
  readonly read_at_ms: number;
  readonly from_ms: number;
  readonly rows: readonly TransferRow[];
  readonly scanned: readonly { readonly chain: ScannedChain; readonly blocks: number; readonly newest_ms: number }[];
}

const HOUR_MS = 3_600_000;
/** A scan older than this tells of the past. */
const SILENT_MAX_MS = 20 * 60_000;
const ROWS_MAX = 10_000;

/** @throws NodeError upstream_unavailable when no chain was scanned lately. */
export async function fetchWhaleAlert(
  context: FetchContext,
  { hours, chain }: { readonly hours: number; readonly chain?: ScannedChain },
): Promise<WhaleAlertInputs> {
  const { now_ms } = context;
  const from_ms = now_ms - hours * HOUR_MS;
  const chains = SCANNED_CHAINS.filter((one) => (chain ?? one) === one);
  const at_ms = { from: from_ms, to: now_ms };
  const scanned = await Promise.all(
    chains.map(async (one) => {
      const rows = await context.table(scans).find({ where: { chain: one, at_ms }, order: ["-at_ms"], limit: 1_000 });
      const blocks = rows.reduce((sum, row) => sum + row.to_block - row.from_block + 1, 0);
      return { chain: one, blocks, newest_ms: rows[0]?.at_ms ?? 0 };
    }),
  );
  const live = scanned.filter(({ newest_ms }) => now_ms - newest_ms <= SILENT_MAX_MS);
  if (live.length === 0) {
    throw new NodeError("upstream_unavailable", "No chain was scanned in the last 20 minutes. Nothing was charged.");
  }
  for (const { chain: one, newest_ms } of live) {
    const source: Source = {
      provider: "evm_rpc",
      url: `eth_getLogs of ${one}`,
      fetched_at: renderTime(newest_ms),
      ok: true,
    };
    context.cite(context.simulated ? { ...source, simulated: true } : source);
  }
  const rows = await Promise.all(
    live.map(({ chain: one }) =>
      context.table(transfers).find({ where: { chain: one, at_ms }, order: ["-at_ms"], limit: ROWS_MAX }),
    ),
  );
  return { read_at_ms: now_ms, from_ms, rows: rows.flat(), scanned };
}
