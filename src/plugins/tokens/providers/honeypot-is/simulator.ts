import { defineSimulator, findNetwork } from "intel-node";
import { unknownPath } from "intel-node/providers/simulated-market";
import { findTokenFacts, poolAddressOf } from "intel-node/providers/simulated-tokens/find-token";

const CHAINS = ["ethereum", "base"];

export const simulator = defineSimulator({
  provider: "honeypot_is",
  respond({ path, query }, world) {
    if (path !== "/IsHoneypot") return unknownPath();
    const chain = CHAINS.find((one) => one === findNetwork(query.get("chainID") ?? "")?.name);
    const token = chain && findTokenFacts(world, chain, query.get("address") ?? "");
    if (!token) return { status: 404, json: { code: 404, error: "no pairs" } };
    const { is_honeypot, sell_tax } = token.opinions ?? {
      is_honeypot: token.sells === "reverts",
      sell_tax: token.sell_tax,
    };
    return {
      json: {
        token: { name: token.name, symbol: token.symbol, decimals: token.decimals, totalHolders: token.holder_count },
        summary: { risk: is_honeypot ? "honeypot" : "low", riskLevel: is_honeypot ? 100 : token.alarm, flags: [] },
        simulationSuccess: true,
        honeypotResult: { isHoneypot: is_honeypot },
        simulationResult: {
          buyTax: token.buy_tax * 100,
          sellTax: sell_tax * 100,
          transferTax: 0,
          buyGas: "142692",
          sellGas: "129776",
        },
        contractCode: {
          openSource: token.open_source,
          rootOpenSource: token.open_source,
          isProxy: token.proxy !== "none",
          hasProxyCalls: false,
        },
        pair: { liquidity: token.liquidity_usd },
        pairAddress: poolAddressOf(token),
      },
    };
  },
});
