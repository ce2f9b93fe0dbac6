import { defineJob, outcomeOf, toInstant, toLocal } from "intel-node";
import { fetchDealerQuote } from "intel-node/providers/swissquote/dealer-quote";
import { swissquote } from "intel-node/providers/swissquote/provider";
import { METALS, metalFixes } from "../metals/metal-fixes.ts";

const ZONE = "America/New_York";
/** A run that starts later than this missed the fix. */
const LATE_MS = 120_000;
const AGE_MAX_MS = 300_000;
const SPREAD_BPS_MAX = 150;

/** Stores what metals were quoted at when New York ended its day. In UTC that is one of two hours. */
export const job = defineJob({
  id: "metal-fix",
  schedule: "0 21,22 * * 1-5",
  providers: [swissquote],
  serves: ["/commodity-price"],
  at_start: false,
  deadline_ms: 60_000,
  sandbox_days: 45,
  async run(context) {
    const { date } = toLocal(ZONE, context.now_ms);
    const fix_ms = toInstant(ZONE, date, "17:00");
    if (context.now_ms < fix_ms || context.now_ms - fix_ms > LATE_MS) return;
    const failures: unknown[] = [];
    for (const [metal, code] of Object.entries(METALS)) {
      const quoted = await outcomeOf(fetchDealerQuote(context, `${code}/USD`, 0));
      if (!quoted.ok) {
        failures.push(quoted.error);
        continue;
      }
      const { bid, ask, at_ms } = quoted.value;
      const mid = (bid + ask) / 2;
      const is_price = ((ask - bid) / mid) * 1e4 <= SPREAD_BPS_MAX && fix_ms - at_ms <= AGE_MAX_MS;
      if (is_price) await metalFixes.write(context, mid, { of: metal, at_ms: Date.parse(date) });
    }
    if (failures.length > 0) throw failures[0];
  },
});
