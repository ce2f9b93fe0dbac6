import { defineSimulator } from "../../../catalog/simulator.ts";
import { findSimulatedToken, getSimulatedPoolPrice, isDexChain } from "../simulated-dex.ts";
import { renderPrice, unknownPath } from "../simulated-market.ts";

const PATH = /^\/prices\/current\/([a-z]{2,20}):([A-Za-z0-9]{32,44})$/;
/** It renews its prices every few minutes, so that they trail behind. */
const STEP_MS = 120_000;

export const simulator = defineSimulator({
  provider: "defillama",
  respond({ path }, world) {
    const [, chain = "", address = ""] = PATH.exec(decodeURIComponent(path)) ?? [];
    if (address === "") return unknownPath();
    const token = isDexChain(chain) ? findSimulatedToken(chain, address) : undefined;
    if (!isDexChain(chain) || !token) return { json: { coins: {} } };
    const at_ms = Math.floor(world.now() / STEP_MS) * STEP_MS;
    const then = { now: () => at_ms, price: (of: string) => world.price(of, at_ms), noise: world.noise };
    const price = Number(renderPrice(getSimulatedPoolPrice(then, chain, token)));
    const { decimals, name: symbol } = token;
    return {
      json: {
        coins: { [`${chain}:${address}`]: { decimals, symbol, price, timestamp: at_ms / 1_000, confidence: 0.99 } },
      },
    };
  },
});
