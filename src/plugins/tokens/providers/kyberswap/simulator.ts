import { defineSimulator } from "intel-node";
import { getSimulatedSwap, isDexChain } from "intel-node/providers/simulated-dex";
import { unknownPath } from "intel-node/providers/simulated-market";

const PATH = /^\/([a-z]{2,20})\/api\/v1\/routes$/;

export const simulator = defineSimulator({
  provider: "kyberswap",
  respond({ path, query }, world) {
    const [, chain = ""] = PATH.exec(path) ?? [];
    const [from, to, amount] = ["tokenIn", "tokenOut", "amountIn"].map((name) => query.get(name) ?? "");
    if (!isDexChain(chain) || !from || !to || !/^[1-9]\d{0,40}$/.test(amount ?? "")) return unknownPath();
    const out = getSimulatedSwap(world, {
      chain,
      from,
      to,
      amount: BigInt(amount ?? "0"),
      fee_ratio: 0.0003,
      thinness: 1,
    });
    if (out === undefined) return { json: { code: 4008, message: "route not found" }, status: 400 };
    const pool = "0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640";
    const hop = {
      pool,
      tokenIn: from,
      tokenOut: to,
      swapAmount: amount,
      amountOut: String(out),
      exchange: "uniswapv3",
    };
    const summary = {
      tokenIn: from,
      amountIn: amount,
      tokenOut: to,
      amountOut: String(out),
      gas: "180000",
      gasUsd: "0.0253",
    };
    return { json: { code: 0, message: "successfully", data: { routeSummary: { ...summary, route: [[hop]] } } } };
  },
});
