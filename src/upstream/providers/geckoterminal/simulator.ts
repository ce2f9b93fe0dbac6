import { defineSimulator } from "../../../catalog/simulator.ts";
import { DEX_CHAINS, USDC } from "../dex-tokens.ts";
import { findSimulatedToken, getSimulatedLiquidity, getSimulatedPoolPrice } from "../simulated-dex.ts";
import { renderPrice } from "../simulated-market.ts";
import { GECKOTERMINAL_NETWORKS } from "./pool-price.ts";

const PATH = /^\/networks\/([a-z_]{2,20})\/tokens\/([A-Za-z0-9]{32,44})\/pools$/;
/** It looks at the pools a little later than others. */
const OFFSET_RATIO = 0.0002;

const notFound = { json: { errors: [{ status: "404", title: "Not Found" }] }, status: 404 };

export const simulator = defineSimulator({
  provider: "geckoterminal",
  respond({ path }, world) {
    const [, network = "", address = ""] = PATH.exec(path) ?? [];
    const chain = DEX_CHAINS.find((one) => GECKOTERMINAL_NETWORKS[one] === network);
    const token = chain && findSimulatedToken(chain, address);
    if (!chain || !token) return notFound;
    const price = getSimulatedPoolPrice(world, chain, token) * (1 + OFFSET_RATIO);
    const idOf = (of: string) => ({ data: { id: `${network}_${of}`, type: "token" } });
    const pool = (number: number, attributes: Record<string, unknown>) => ({
      id: `${network}_${address}${number}`,
      type: "pool",
      attributes: {
        base_token_price_usd: renderPrice(price),
        quote_token_price_usd: "1.0",
        base_token_price_quote_token: renderPrice(price),
        quote_token_price_base_token: renderPrice(1 / price),
        address: `${address}${number}`,
        name: `${token.name} / USDC 0.05%`,
        pool_created_at: "2023-12-19T15:23:49Z",
        fdv_usd: null,
        market_cap_usd: null,
        price_change_percentage: { h1: "0.03", h24: "-1.57" },
        transactions: { h24: { buys: 912, sells: 628 } },
        volume_usd: { h24: "121060.89" },
        reserve_in_usd: getSimulatedLiquidity(world, chain, token).toFixed(4),
        ...attributes,
      },
      relationships: {
        base_token: idOf(address),
        quote_token: idOf(USDC[chain]),
        dex: { data: { id: chain === "solana" ? "raydium" : "uniswap_v3", type: "dex" } },
      },
    });
    // A thin pool with an absurd price, and one whose dollar price it does not know, as in the real table.
    const thin = pool(1, { base_token_price_usd: renderPrice(price * 40), reserve_in_usd: "900.0" });
    const unpriced = pool(2, { base_token_price_usd: null, reserve_in_usd: "260000.0" });
    return { json: { data: [thin, pool(0, {}), unpriced] } };
  },
});
