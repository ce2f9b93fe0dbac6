import { type Static, Type } from "@sinclair/typebox";
import { closed, count, type FetchContext, nullable, oneOf, renderTime, text } from "intel-node";
import { factoriesOf } from "../launches/factories.ts";
import { type CreatedPoolRow, createdPools } from "../launches/factory-tables.ts";
import { FactoryCoverage, type FactoryWatch, factoryField, readFactoryWatch } from "../launches/factory-watch.ts";
import { SCANNED_CHAINS, type ScannedChain } from "../whales/chains.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NEWEST_SHOWN = 2;

/** What pool factories of an EVM chain made, as far as they are watched. */
export const FactoryLaunches = Type.Object(
  {
    coverage: FactoryCoverage,
    pools_24h: count("Pools made in the last 24 hours, of known tokens too."),
    launches_1h: count("First pools, in two days, of an unknown token against a known one, last hour."),
    launches_24h: count("The same in the last 24 hours."),
    by_factory: Type.Array(
      Type.Object({ factory: factoryField, launches_24h: count("Launches of the last 24 hours.") }, closed),
      { description: "Whose launches they are." },
    ),
    newest: Type.Array(
      Type.Object(
        {
          factory: factoryField,
          token: text("Its identity: nothing else of it is known here; /launch-risk judges it."),
          quote: nullable(oneOf(["ETH", "WETH", "USDC", "USDT", "DAI"], "Against what."), "", "for other tokens"),
          pool: text("Address, or number of a pool of Uniswap v4."),
          at: text("By the height of its block."),
        },
        closed,
      ),
      { description: `The newest launches, at most ${NEWEST_SHOWN}.` },
    ),
  },
  closed,
);
export type FactoryLaunchesData = Static<typeof FactoryLaunches>;

export interface ChainLaunches {
  readonly watch: FactoryWatch;
  readonly pools_24h: number;
  readonly launches_1h: number;
  readonly launches_24h: number;
  readonly by_factory: FactoryLaunchesData["by_factory"];
  readonly newest: readonly CreatedPoolRow[];
}

async function readChain(context: FetchContext, chain: ScannedChain): Promise<ChainLaunches> {
  const { now_ms } = context;
  const table = context.table(createdPools);
  const since = (ms: number) => ({ from: now_ms - ms, to: now_ms });
  const launched = (ms: number) => ({ chain, is_launch: true, at_ms: since(ms) });
  return {
    watch: await readFactoryWatch(context, chain, DAY_MS),
    pools_24h: await table.count({ chain, at_ms: since(DAY_MS) }),
    launches_1h: await table.count(launched(HOUR_MS)),
    launches_24h: await table.count(launched(DAY_MS)),
    by_factory: await Promise.all(
      factoriesOf(chain).map(async (factory) => ({
        factory,
        launches_24h: await table.count({ ...launched(DAY_MS), factory }),
      })),
    ),
    newest: await table.find({ where: launched(DAY_MS), order: ["-at_ms"], limit: NEWEST_SHOWN }),
  };
}

/** The jobs' data of every chain whose factories are watched. */
export const readFactoryLaunches = (context: FetchContext): Promise<readonly ChainLaunches[]> =>
  Promise.all(SCANNED_CHAINS.map((chain) => readChain(context, chain)));

const QUOTES = ["ETH", "WETH", "USDC", "USDT", "DAI"] as const;

export function describeFactories({ watch, newest, ...counts }: ChainLaunches): FactoryLaunchesData {
  return {
    coverage: { ...watch.coverage },
    ...counts,
    newest: newest.flatMap(({ factory, token, quote, pool, at_ms }) => {
      const id = watch.coverage.factories.find((one) => one === factory);
      const known = QUOTES.find((one) => one === quote) ?? null;
      return id ? [{ factory: id, token, quote: known, pool, at: renderTime(at_ms) }] : [];
    }),
  };
}
