import { defineSimulator, type SimulatedWorld } from "intel-node";
import { getSimulatedShare, isSimulatedShare, SIMULATED_SHARES } from "intel-node/providers/simulated-shares";
import { getSimulatedUSDay, NEW_YORK } from "../../markets/simulated-day.ts";

/** Half of the spread: a basis point while New York trades, most of a percent when it does not. */
const HALF_SPREAD = { open: 0.000_15, other: 0.007 };

const WIDENS_MS = 180_000;

function getQuote(world: SimulatedWorld, symbol: string) {
  const mid = getSimulatedShare(world, symbol);
  // A book widens some minutes after the bell, not with it.
  const is_open = [0, WIDENS_MS].some((ms) => NEW_YORK.stateAt(world.now() - ms).status === "open");
  const half = mid * (is_open ? HALF_SPREAD.open : HALF_SPREAD.other);
  const day = getSimulatedUSDay(world, symbol);
  return {
    tokenSymbol: symbol,
    bid: (mid - half).toFixed(2),
    ask: (mid + half).toFixed(2),
    currency: "USD",
    dailyTradingVolume: String(Math.round(1e6 + 4e7 * world.noise(`share volume ${symbol}`))),
    isTradingHalt: false,
    generatedAt: new Date(Math.floor(world.now() / 1000) * 1000).toISOString().replace(".000Z", "Z"),
    dailyHigh: day.high.toFixed(2),
    dailyLow: day.low.toFixed(2),
    mintBurnTokenVolume: "2520.489",
    mintBurnUsdVolume: "45129.355545",
  };
}

/** A dividend of Apple in the middle of every third month. */
function getActions(world: SimulatedWorld) {
  const now = new Date(world.now());
  const [year, month] = [now.getUTCFullYear(), Math.floor(now.getUTCMonth() / 3) * 3 + 2];
  return [
    {
      id: `${year}-${month}`,
      type: "CORPORATE_ACTION_TYPE_CASH_DIVIDEND",
      status: "CORPORATE_ACTION_STATUS_IN_PROGRESS",
      processDate: { year, month, day: 13 },
      tokenSymbol: "AAPL",
      deployments: [],
      details: {},
    },
  ];
}

export const simulator = defineSimulator({
  provider: "rhj",
  respond({ path, query }, world) {
    if ([...query.keys()].length > 0) return { status: 400, json: { error: "unknown query parameter" } };
    if (path === "/corporate-actions") return { json: { corpActions: getActions(world) } };
    if (path === "/prices") return { json: { quotes: SIMULATED_SHARES.map((symbol) => getQuote(world, symbol)) } };
    const symbol = decodeURIComponent(path.replace(/^\/prices\//, ""));
    if (!isSimulatedShare(symbol)) return { status: 404, json: { detail: "Not found." } };
    return { json: { quotes: [getQuote(world, symbol)] } };
  },
});
