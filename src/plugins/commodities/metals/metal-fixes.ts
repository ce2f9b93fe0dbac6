import { Type } from "@sinclair/typebox";
import { defineSeries } from "intel-node";

/** Metals with a live price, by the code dealers use: US dollars for a troy ounce. */
export const METALS = { gold: "XAU", silver: "XAG", platinum: "XPT", palladium: "XPD" } as const;

/**
 * Middle of the dealer's quote at 17:00 New York, one a trading day, dated 00:00 UTC of that day. A fix that was
 * missed stays missing: no later price takes its place.
 */
export const metalFixes = defineSeries({
  name: "commodities/metal-fix",
  value: Type.Number({ exclusiveMinimum: 0 }),
  every: "1d",
  keep: "1100d",
  storage: "kept",
  cited: true,
});
