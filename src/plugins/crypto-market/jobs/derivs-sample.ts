import { defineJob, outcomeOf } from "intel-node";
import { fetchFunding } from "intel-node/providers/hyperliquid/funding";
import { fetchPerpetuals } from "intel-node/providers/hyperliquid/perpetuals";
import { hyperliquid } from "intel-node/providers/hyperliquid/provider";
import { MARKET_COINS, writeFunding } from "../derivatives/stored-funding.ts";
import { writeOpenInterest } from "../derivatives/stored-interest.ts";
import { UNIVERSE_20 } from "../universe/universe.ts";

const OTHER_COINS = UNIVERSE_20.filter((symbol) => !MARKET_COINS.includes(symbol));

/** Stores funding and open interest every hour: no upstream gives the past of both. */
export const job = defineJob({
  id: "derivs-sample",
  schedule: "5 * * * *",
  providers: [hyperliquid],
  at_start: true,
  deadline_ms: 30_000,
  async run(context) {
    const market = await fetchFunding(context, MARKET_COINS);
    // One call answers for all; a coin that is no longer listed is left out alone.
    const others = await Promise.all(OTHER_COINS.map((symbol) => outcomeOf(fetchFunding(context, [symbol]))));
    const coins = [...market, ...others.flatMap((outcome) => (outcome.ok ? outcome.value : []))];
    await writeFunding(context, coins);
    // The same answer again, this time counted in coins: a move of the price does not change the interest.
    await writeOpenInterest(context, await fetchPerpetuals(context, UNIVERSE_20));
  },
});
