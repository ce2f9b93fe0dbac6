import { type Static, Type } from "@sinclair/typebox";
import { closed, count, type FetchContext, oneOf, renderTime, type Source } from "intel-node";
import { SCANNED, SCANNED_CHAINS, type ScannedChain } from "../whales/chains.ts";
import { FACTORY_IDS, FACTORY_PACE, factoriesOf } from "./factories.ts";
import { createdPools, factoryNotes, factoryScans } from "./factory-tables.ts";
import { launches } from "./tables.ts";

export const factoryField = oneOf(FACTORY_IDS, "Factory that made the pool.");

/** The part of a chain's launches that is seen. */
export const FactoryCoverage = Type.Object(
  {
    chain: oneOf(SCANNED_CHAINS, "Chain."),
    factories: Type.Array(factoryField, { description: "Factories that are watched; pools of others are not seen." }),
    blocks_scanned: count("Blocks of the window whose logs were read whole."),
    blocks_expected: count("Blocks of the window."),
    confirmations: count("Blocks nearer to the head are left for later."),
  },
  { ...closed, description: "What was watched." },
);
export type FactoryCoverageData = Static<typeof FactoryCoverage>;

/** Which part of a chain's factories' logs was read in a window, and what went wrong. */
export interface FactoryWatch {
  readonly coverage: FactoryCoverageData;
  /** 0 when they never were. */
  readonly newest_ms: number;
  /** Newest first. */
  readonly notes: readonly { readonly at_ms: number; readonly what: string }[];
}

/** An older watch is out of date. */
const SILENT_MAX_MS = 25 * 60_000;
const WHOLE_RATIO = 0.8;
const ROWS_MAX = 3_000;

export const isFactoryChain = (chain: string): chain is ScannedChain => SCANNED_CHAINS.some((one) => one === chain);

/** Reads what jobs kept of the last `window_ms`, and names the source. */
export async function readFactoryWatch(
  context: FetchContext,
  chain: ScannedChain,
  window_ms: number,
): Promise<FactoryWatch> {
  const { now_ms } = context;
  const at_ms = { from: now_ms - window_ms, to: now_ms };
  const [scans, notes] = await Promise.all([
    context.table(factoryScans).find({ where: { chain, at_ms }, order: ["-to_block"], limit: ROWS_MAX }),
    context.table(factoryNotes).find({ where: { chain, at_ms }, order: ["-at_ms"], limit: 100 }),
  ]);
  const { block_s } = SCANNED[chain];
  const { confirmations } = FACTORY_PACE[chain];
  const blocks_expected = Math.floor(window_ms / 1000 / block_s);
  const [newest] = scans;
  // A stretch may begin before the window.
  const oldest = (newest?.to_block ?? 0) + confirmations - blocks_expected + 1;
  const read = scans.reduce((sum, one) => sum + Math.max(0, one.to_block - Math.max(one.from_block, oldest) + 1), 0);
  if (newest) {
    const source: Source = {
      provider: "evm_rpc",
      url: `eth_getLogs of factories on ${chain}`,
      fetched_at: renderTime(newest.at_ms),
      ok: true,
    };
    context.cite(context.simulated ? { ...source, simulated: true } : source);
  }
  return {
    coverage: {
      chain,
      factories: [...factoriesOf(chain)],
      confirmations,
      blocks_scanned: Math.min(read, blocks_expected),
      blocks_expected,
    },
    newest_ms: newest?.at_ms ?? 0,
    notes,
  };
}

/** Warnings of every answer made of such a watch. */
export function warnOfWatch(field: string, { coverage, newest_ms, notes }: FactoryWatch, now_ms: number) {
  const { chain, blocks_scanned, blocks_expected, confirmations } = coverage;
  const [newest, ...older] = notes;
  // Blocks that are not deep enough yet are not a gap.
  const is_thin = blocks_scanned < WHOLE_RATIO * Math.max(1, blocks_expected - confirmations);
  return [
    ...(now_ms - newest_ms > SILENT_MAX_MS
      ? [`${field}: factories on ${chain} were not read in the last 25 minutes`]
      : []),
    ...(is_thin ? [`${field}: ${blocks_scanned} of ${blocks_expected} blocks of ${chain} were read`] : []),
    ...(newest
      ? [
          `${field}.${chain}: at ${renderTime(newest.at_ms)}: ${newest.what}` +
            (older.length === 0 ? "" : `, and ${older.length} more times something else or the same`),
        ]
      : []),
  ];
}

/** The source of a launch: a factory, pump_fun or pumpportal; only for those this node saw. */
export async function readOrigins(
  context: Pick<FetchContext, "table">,
  chain: string,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (tokens.length === 0) return new Map();
  const some = { in: tokens.slice(0, 500) };
  if (!isFactoryChain(chain)) {
    const rows = await context.table(launches).find({ where: { chain, token: some }, limit: 500 });
    return new Map(rows.map(({ token, source }) => [token, source]));
  }
  const rows = await context.table(createdPools).find({ where: { chain, token: some, is_launch: true }, limit: 500 });
  return new Map(rows.map(({ token, factory }) => [token, factory]));
}

/** How many launches of a chain this node saw since then. */
export function countLaunches(context: Pick<FetchContext, "table" | "now_ms">, chain: string, since_ms: number) {
  const window = { from: since_ms, to: context.now_ms };
  return isFactoryChain(chain)
    ? context.table(createdPools).count({ chain, is_launch: true, at_ms: window })
    : context.table(launches).count({ chain, created_at_ms: window });
}
