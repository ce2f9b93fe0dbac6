import { getFXWeek, getLastFXClose } from "../../../calendars/fx-week.ts";
import { defineSimulator } from "../../../catalog/simulator.ts";
import { getSimulatedCross, isSimulatedCurrency } from "../simulated-fx.ts";
import { getSimulatedMetal, isSimulatedMetal } from "../simulated-metals.ts";
import { swissquote } from "./provider.ts";

export const simulator = defineSimulator({
  provider: swissquote.id,
  respond({ path }, world) {
    const [, base = "", quote = ""] =
      /^\/public-quotes\/bboquotes\/instrument\/([A-Z]{3})\/([A-Z]{3})$/.exec(path) ?? [];
    const isKnown = (currency: string): boolean => currency === "EUR" || isSimulatedCurrency(currency);
    const is_metal = isSimulatedMetal(base) && quote === "USD";
    if (!is_metal && !(isKnown(base) && isKnown(quote))) return { json: [] };
    const mid = is_metal ? getSimulatedMetal(world, base) : getSimulatedCross(world, base, quote);
    const decimals = mid > 20 ? 3 : 5;
    // On weekends the last quote of Friday stays.
    const { is_open } = getFXWeek(world.now());
    const ts = is_open ? world.now() - 400 : getLastFXClose(world.now());
    const quoteAt = (half_bps: number, spreadProfile: string) => ({
      spreadProfile,
      bidSpread: 1,
      askSpread: 1,
      bid: Number((mid * (1 - half_bps / 1e4)).toFixed(decimals)),
      ask: Number((mid * (1 + half_bps / 1e4)).toFixed(decimals)),
    });
    const topo = { platform: "SwissquoteLtd", server: "Live5" };
    return { json: [{ topo, spreadProfilePrices: [quoteAt(0.9, "premium"), quoteAt(0.4, "elite")], ts }] };
  },
});
