import { defineJob } from "../../../catalog/plugin.ts";
import { fetchFunding } from "../../../upstream/providers/hyperliquid/funding.ts";
import { hyperliquid } from "../../../upstream/providers/hyperliquid/provider.ts";
import { writeFunding } from "../shared/derivatives/stored-funding.ts";

/** The coins whose funding stands for the market's. */
const COINS = ["BTC", "ETH", "SOL"];

/** Stores funding and open interest every hour: no upstream gives the past of both. */
export const job = defineJob({
  id: "derivs-sample",
  schedule: "5 * * * *",
  providers: [hyperliquid],
  at_start: false,
  deadline_ms: 30_000,
  async run(context) {
    writeFunding(context.history, await fetchFunding(context, COINS), context.now_ms);
  },
});
