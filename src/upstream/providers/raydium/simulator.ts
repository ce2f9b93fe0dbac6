import { defineSimulator, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedSwap } from "../simulated-dex.ts";
import { unknownPath } from "../simulated-market.ts";
import { swapSimulatedToken } from "../simulated-tokens/swap.ts";

const FEE_RATIO = 0.0005;

const refuse = (msg: string) => ({ json: { id: "simulated", success: false, version: "V1", msg } });

function getQuote(world: SimulatedWorld, query: URLSearchParams) {
  const [from, to, amount] = ["inputMint", "outputMint", "amount"].map((name) => query.get(name) ?? "");
  if (!from || !to || !/^[1-9]\d{0,18}$/.test(amount ?? "")) return refuse("REQ_INPUT_MINT_ERROR");
  const swap = { chain: "solana", from, to, amount: BigInt(amount ?? "0"), fee_ratio: FEE_RATIO, thinness: 1 } as const;
  const out = getSimulatedSwap(world, swap) ?? swapSimulatedToken(world, swap);
  if (out === undefined || out === 0n) return refuse("ROUTE_NOT_FOUND");
  return {
    json: {
      id: "simulated",
      success: true,
      version: "V1",
      data: {
        swapType: "BaseIn",
        inputMint: from,
        inputAmount: amount,
        outputMint: to,
        outputAmount: String(out),
        otherAmountThreshold: String((out * 995n) / 1000n),
        slippageBps: Number(query.get("slippageBps") ?? 50),
        priceImpactPct: 0.04,
        referrerAmount: "0",
        routePlan: [{ poolId: "11111111111111111111111111111111", inputMint: from, outputMint: to, feeRate: 5 }],
      },
    },
  };
}

export const simulator = defineSimulator({
  provider: "raydium",
  respond: ({ path, query }, world) => (path === "/compute/swap-base-in" ? getQuote(world, query) : unknownPath()),
});
