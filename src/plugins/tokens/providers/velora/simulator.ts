import { defineSimulator, findNetwork } from "intel-node";
import { getSimulatedSwap } from "intel-node/providers/simulated-dex";
import { unknownPath } from "intel-node/providers/simulated-market";

const CHAINS = ["ethereum", "base"] as const;

export const simulator = defineSimulator({
  provider: "velora",
  respond({ path, query }, world) {
    const chain = CHAINS.find((one) => one === findNetwork(query.get("network") ?? "")?.name);
    const [from, to, amount] = ["srcToken", "destToken", "amount"].map((name) => query.get(name) ?? "");
    if (path !== "/prices" || !chain || !from || !to || !/^[1-9]\d{0,40}$/.test(amount ?? "")) return unknownPath();
    const out = getSimulatedSwap(world, {
      chain,
      from,
      to,
      amount: BigInt(amount ?? "0"),
      fee_ratio: 0.0004,
      thinness: 1.2,
    });
    if (out === undefined) return { status: 404, json: { error: "No routes found with enough liquidity" } };
    const swapExchanges = [{ exchange: "UniswapV3", percent: 100, poolAddresses: [from], srcAmount: amount }];
    const bestRoute = [{ percent: 100, swaps: [{ srcToken: from, destToken: to, swapExchanges }] }];
    const after_fee = String((out * 9_999n) / 10_000n);
    const priceRoute = {
      srcAmount: amount,
      destAmount: String(out),
      destAmountAfterFee: after_fee,
      gasCostUSD: "0.03",
      bestRoute,
    };
    return { json: { priceRoute } };
  },
});
