import { type Static, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import type { FetchContext, WritableHistory } from "../../../../catalog/context.ts";
import { DEX_ASSETS, DEX_CHAINS } from "../../../../upstream/providers/dex-tokens.ts";
import { POOL_TABLE_IDS } from "./pool-tables.ts";
import { SWAP_SOURCES } from "./venue.ts";

const SERIES = "crypto-market/dex-scan";
/** Older tables are not sold: pools move with every block. */
const AGE_MAX_MS = 600_000;
const KEPT_MS = 3_600_000;

const Chain = Type.Union(DEX_CHAINS.map((chain) => Type.Literal(chain)));
const Asset = Type.Union(DEX_ASSETS.map((asset) => Type.Literal(asset)));
const Wrapper = Type.String({ maxLength: 20 });
const Positive = Type.Number({ exclusiveMinimum: 0 });
const Cost = Type.Union([Type.Number({ minimum: 0 }), Type.Null()]);
const FeeTier = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]);
const rows = { maxItems: 1_000 };

const Buy = Type.Object({
  chain: Chain,
  asset: Asset,
  wrapper: Wrapper,
  source: Type.Union(SWAP_SOURCES.map((source) => Type.Literal(source))),
  /** Tokens got for the notional. */
  amount: Positive,
  fee_tier: FeeTier,
  gas_usd: Cost,
});

const Sell = Type.Object({
  chain: Chain,
  asset: Asset,
  wrapper: Wrapper,
  /** Where, and as what, the sold amount was bought. */
  from_chain: Chain,
  from_wrapper: Wrapper,
  usdc_out: Positive,
  fee_tier: FeeTier,
  gas_usd: Cost,
});

const Mid = Type.Object({
  chain: Chain,
  asset: Asset,
  wrapper: Wrapper,
  mid_usd: Positive,
  source: Type.Union(POOL_TABLE_IDS.map((id) => Type.Literal(id))),
});

const ScanSchema = Type.Object({
  /** Time of the newest block, and of the scan. */
  as_of_ms: Type.Integer(),
  read_at_ms: Type.Integer(),
  notional_usd: Positive,
  buys: Type.Array(Buy, rows),
  sells: Type.Array(Sell, rows),
  mids: Type.Array(Mid, rows),
  bridges: Type.Array(Type.Object({ from: Chain, to: Chain, fast_bps: Cost, standard_bps: Cost }), rows),
  missing: Type.Array(Type.Object({ chain: Chain, reason: Type.String({ maxLength: 200 }) }), { maxItems: 20 }),
  sources: Type.Array(
    Type.Object({
      provider: Type.String(),
      url: Type.String(),
      fetched_at: Type.String(),
      ok: Type.Boolean(),
      simulated: Type.Optional(Type.Literal(true)),
      error: Type.Optional(Type.String()),
      attribution: Type.Optional(Type.Object({ text: Type.String(), url: Type.String() })),
    }),
    { maxItems: 100 },
  ),
});
const Stored = TypeCompiler.Compile(ScanSchema);

export type Scan = Static<typeof ScanSchema>;
export type ScanBuy = Static<typeof Buy>;
export type ScanSell = Static<typeof Sell>;
export type ScanMid = Static<typeof Mid>;

/** Stores a scan at its own time and forgets those of more than an hour ago. */
export async function writeScan(history: WritableHistory, scan: Scan): Promise<void> {
  await history.write(SERIES, [{ at_ms: scan.as_of_ms, value: scan }]);
  await history.prune(SERIES, scan.as_of_ms - KEPT_MS);
}

/** The newest scan, or null when there is none of the last 10 minutes. */
export async function readScan(context: Pick<FetchContext, "history" | "now_ms">): Promise<Scan | null> {
  const window = { since_ms: context.now_ms - AGE_MAX_MS, until_ms: context.now_ms, limit: 1 };
  const value = (await context.history.read(SERIES, window)).at(-1)?.value;
  return Stored.Check(value) ? value : null;
}
