import { defineSimulator, getFXWeek, getLastFXClose } from "intel-node";
import { getSimulatedMetal, isSimulatedMetal } from "intel-node/providers/simulated-metals";
import { goldapi } from "./provider.ts";

const NAMES: Readonly<Record<string, string>> = { XAU: "Gold", XAG: "Silver", XPT: "Platinum", XPD: "Palladium" };

export const simulator = defineSimulator({
  provider: goldapi.id,
  respond({ path }, world) {
    const [, symbol = ""] = /^\/price\/([A-Z]{3})$/.exec(path) ?? [];
    if (!isSimulatedMetal(symbol)) return { status: 404, json: { error: "Symbol not found" } };
    // On weekends the last price of Friday stays.
    const { is_open } = getFXWeek(world.now());
    const at_ms = is_open ? world.now() - 4_000 : getLastFXClose(world.now());
    const updatedAt = new Date(at_ms).toISOString().replace(/\.\d+Z$/, "Z");
    return {
      json: {
        currency: "USD",
        currencySymbol: "$",
        exchangeRate: 1,
        name: NAMES[symbol],
        symbol,
        updatedAt,
        price: Number((getSimulatedMetal(world, symbol, at_ms) * 1.0004).toFixed(2)),
        updatedAtReadable: "a few seconds ago",
      },
    };
  },
});
