import { defineSimulator } from "../../../catalog/simulator.ts";
import { requireChainId } from "../../../networks/find.ts";
import { EVM_DEX_CHAINS } from "../dex-tokens.ts";
import { unknownPath } from "../simulated-market.ts";

const CHAIN_IDS = EVM_DEX_CHAINS.map((chain) => String(requireChainId(chain)));
const STEP_MS = 60_000;
/** What the bridge keeps, and gas on the chain it starts from. */
const FEE_RATIO = 0.0005;
const GAS_USD: Readonly<Record<string, number>> = { "1": 0.6 };
const GAS_USD_OTHER = 0.02;

export const simulator = defineSimulator({
  provider: "lifi",
  respond({ path, query }, world) {
    if (path !== "/quote") return unknownPath();
    const [from = "", to = "", amount = ""] = ["fromChain", "toChain", "fromAmount"].map((key) => query.get(key) ?? "");
    if (!CHAIN_IDS.includes(from) || !CHAIN_IDS.includes(to) || from === to || !/^[1-9]\d{0,14}$/.test(amount)) {
      return { json: { message: "No available quotes for the requested transfer", code: 1002 }, status: 404 };
    }
    const noise = world.noise(`lifi ${from} ${to} ${Math.floor(world.now() / STEP_MS)}`);
    const fee_atomic = Math.round(Number(amount) * FEE_RATIO * (0.5 + noise));
    const out = Number(amount) - fee_atomic;
    const usdc = world.price("USDC");
    const toUSD = (atomic: number) => ((atomic / 1e6) * usdc).toFixed(4);
    const toAmountMin = String(Math.floor(out * 0.995));
    return {
      json: {
        type: "lifi",
        id: "simulated",
        tool: "across",
        toolDetails: { key: "across", name: "AcrossV4", logoURI: "" },
        action: { fromChainId: Number(from), toChainId: Number(to), fromAmount: amount, slippage: 0.005 },
        estimate: {
          tool: "across",
          fromAmount: amount,
          toAmount: String(out),
          toAmountMin,
          fromAmountUSD: toUSD(Number(amount)),
          toAmountUSD: toUSD(out),
          feeCosts: [{ name: "Bridge fee", amountUSD: toUSD(fee_atomic), included: true }],
          gasCosts: [{ type: "SEND", amountUSD: (GAS_USD[from] ?? GAS_USD_OTHER).toFixed(4) }],
          executionDuration: 4,
        },
      },
    };
  },
});
