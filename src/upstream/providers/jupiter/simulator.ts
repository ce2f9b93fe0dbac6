import { defineSimulator, type SimulatedAnswer, type SimulatedWorld } from "../../../catalog/simulator.ts";
import { findSimulatedToken, getSimulatedPoolPrice, getSimulatedSwap } from "../simulated-dex.ts";
import { unknownPath } from "../simulated-market.ts";
import { getSimulatedSlot } from "../solana-rpc/simulator.ts";

const FEE_RATIO = 0.0005;

const refuse = (error: string, errorCode: string): SimulatedAnswer => ({ json: { error, errorCode }, status: 400 });

function getQuote(world: SimulatedWorld, query: URLSearchParams): SimulatedAnswer {
  const [from, to, amount] = ["inputMint", "outputMint", "amount"].map((name) => query.get(name) ?? "");
  if (!from || !to || !/^[1-9]\d{0,18}$/.test(amount ?? "")) return refuse("Query parameters are invalid", "INVALID");
  const swap = { chain: "solana", from, to, amount: BigInt(amount ?? "0"), fee_ratio: FEE_RATIO, thinness: 1 } as const;
  const out = getSimulatedSwap(world, swap);
  if (out === undefined || out === 0n) {
    return refuse("Could not find any route", "COULD_NOT_FIND_ANY_ROUTE");
  }
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
      inputMint: from,
      inAmount: amount,
      outputMint: to,
      outAmount: String(out),
      otherAmountThreshold: String((out * 995n) / 1000n),
      swapMode: "ExactIn",
      slippageBps: Number(query.get("slippageBps") ?? 50),
      platformFee: null,
      priceImpactPct: "0.0004",
      routePlan: [{ swapInfo, percent: 100 }],
      contextSlot: getSimulatedSlot(world.now()),
      timeTaken: 0.01,
    },
  };
}

function getPrices(world: SimulatedWorld, ids: readonly string[]) {
  const rows = ids.flatMap((mint) => {
    const token = findSimulatedToken("solana", mint);
    if (!token) return [];
    const usdPrice = getSimulatedPoolPrice(world, "solana", token);
    const blockId = getSimulatedSlot(world.now());
    return [[mint, { usdPrice, blockId, decimals: token.decimals, priceChange24h: 0.5 }] as const];
  });
  return { json: Object.fromEntries(rows) };
}

export const simulator = defineSimulator({
  provider: "jupiter",
  respond({ path, query }, world) {
    if (path === "/swap/v1/quote") return getQuote(world, query);
    if (path === "/price/v3") return getPrices(world, (query.get("ids") ?? "").split(",").slice(0, 50));
    return unknownPath();
  },
});
