import { type Static, Type } from "@sinclair/typebox";
import { defineSeries, type FetchContext, type JobContext } from "intel-node";
import { DEX_ASSETS, DEX_CHAINS } from "intel-node/providers/dex-tokens";
import { POOL_TABLE_IDS } from "./pool-tables.ts";
import { SWAP_SOURCES } from "./venue.ts";

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
const scans = defineSeries({ name: "crypto-market/dex-scan", value: ScanSchema, keep: "1h", storage: "disposable" });

export type Scan = Static<typeof ScanSchema>;
export type ScanBuy = Static<typeof Buy>;
export type ScanSell = Static<typeof Sell>;
export type ScanMid = Static<typeof Mid>;

/** Stores a scan at its own time and forgets those of more than an hour ago. */
export const writeScan = (context: JobContext, scan: Scan): Promise<void> =>
  scans.write(context, scan, { at_ms: scan.as_of_ms });

/** The newest scan; null when it is older than 10 minutes: pools move with every block. */
export const readScan = async (context: Pick<FetchContext, "history" | "now_ms">): Promise<Scan | null> =>
  (await scans.newest(context, { max_age: "10m" }))?.value ?? null;
