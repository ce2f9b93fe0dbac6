import type { SimulatedWorld } from "../../catalog/simulator.ts";

const HOUR_MS = 3_600_000;
const MAJORS = ["BTC", "ETH", "SOL"];

/** Venues but Hyperliquid pay every eight hours. */
export const SIMULATED_FUNDING_HOURS = 8;

const hourOf = (world: SimulatedWorld): number => Math.floor(world.now() / HOUR_MS);

/** Funding of the running hour: mostly a little above zero, as in quiet markets. */
export const getSimulatedFunding = (world: SimulatedWorld, coin: string): string =>
  (0.0000125 + (world.noise(`funding ${coin} ${hourOf(world)}`) - 0.4) * 0.00002).toFixed(10);

/** Funding of eight hours at another venue: per hour about the same. */
export const getSimulatedFundingOf = (world: SimulatedWorld, venue: string, coin: string): string => {
  const apart = (world.noise(`funding ${venue} ${coin} ${hourOf(world)}`) - 0.5) * 0.00004;
  return (SIMULATED_FUNDING_HOURS * Number(getSimulatedFunding(world, coin)) + apart).toFixed(8);
};

/** End of the running eight hours, ms. */
export const getSimulatedFundingTime = (world: SimulatedWorld): number =>
  (Math.floor(hourOf(world) / SIMULATED_FUNDING_HOURS) + 1) * SIMULATED_FUNDING_HOURS * HOUR_MS;

/** Open interest in US dollars, one side; each venue has its own share of the market. */
export const getSimulatedInterest = (world: SimulatedWorld, coin: string, venue = ""): number => {
  const share = venue === "" ? 1 : 0.5 + world.noise(`interest share ${venue} ${coin}`);
  const size = MAJORS.includes(coin) ? 1e9 : 5e7;
  return size * share * (0.8 + 0.4 * world.noise(`interest ${coin} ${hourOf(world)}`));
};
