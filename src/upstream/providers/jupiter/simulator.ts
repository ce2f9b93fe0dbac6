import { defineSimulator, type SimulatedAnswer, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { getSimulatedSwap } from "../simulated-dex.ts";
import { unknownPath } from "../simulated-market.ts";
import { swapSimulatedToken } from "../simulated-tokens/swap.ts";

/** Pools and its own fee: dearer than one exchange, but it spreads an amount over the pools of all of them. */
const FEE_RATIO = 0.0007;
const THINNESS = 0.4;

const refuse = (error: string, errorCode: number): SimulatedAnswer => ({ json: { error, errorCode }, status: 400 });

function getOrder(world: SimulatedWorld, query: URLSearchParams): SimulatedAnswer {
  const [from, to, amount] = ["inputMint", "outputMint", "amount"].map((name) => query.get(name) ?? "");
  if (!from || !to || !/^[1-9]\d{0,18}$/.test(amount ?? "")) return refuse("Query parameters are invalid", 3);
  const swap = {
    chain: "solana",
    from,
    to,
    amount: BigInt(amount ?? "0"),
    fee_ratio: FEE_RATIO,
    thinness: THINNESS,
  } as const;
  const out = getSimulatedSwap(world, swap) ?? swapSimulatedToken(world, swap);
  if (out === undefined || out === 0n) return refuse("Failed to get quotes", 2);
  const swapInfo = {
    ammKey: "11111111111111111111111111111111",
    label: "Simulated",
    inputMint: from,
    outputMint: to,
    inAmount: amount,
    outAmount: String(out),
  };
  return {
    json: {
      mode: "manual",
      router: "iris",
      inputMint: from,
      inAmount: amount,
      outputMint: to,
      outAmount: String(out),
      otherAmountThreshold: String((out * 995n) / 1000n),
      swapMode: "ExactIn",
      slippageBps: 50,
      priceImpactPct: "-0.0004",
      priceImpact: -0.04,
      routePlan: [{ swapInfo, percent: 100, bps: 10_000 }],
      feeBps: 2,
      feeMint: to,
      transaction: null,
      requestId: "simulated",
    },
  };
}

export const simulator = defineSimulator({
  provider: "jupiter",
  respond: ({ path, query }, world) => (path === "/swap/v2/order" ? getOrder(world, query) : unknownPath()),
});
