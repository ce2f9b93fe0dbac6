import type { Computed } from "intel-node";
import { describeItem } from "../shared/describe.ts";
import { SCOPE_NOTE, UNDATED, warnOf } from "../shared/judge/assess.ts";
import { warnOfWatch } from "../shared/launches/factory-watch.ts";
import type { LaunchRiskInputs } from "./fetch.ts";
import type { LaunchItemData, LaunchRiskData } from "./schema.ts";

function getBaseRates(verdicts: readonly string[]): LaunchRiskData["base_rates"] {
  const part = (verdict: string): number | null =>
    verdicts.length === 0 ? null : verdicts.filter((one) => one === verdict).length / verdicts.length;
  return {
    avoid_share_24h: part("AVOID"),
    watch_share_24h: part("WATCH"),
    size_share_24h: part("SIZE"),
    n: verdicts.length,
  };
}

export function computeLaunchRisk({
  single,
  stored,
  verdicts,
  read_at_ms,
  origins,
  launches,
  watch,
}: LaunchRiskInputs): Computed<LaunchRiskData> {
  // What was stored was of this schema when it was judged.
  const judged = single ? [describeItem(single, null)] : stored.map(({ item }) => item as LaunchItemData);
  const items = judged.map(({ token, ...item }) => ({ token, ...item, source: origins.get(token.address) ?? null }));
  const nulls = items.some(({ created_at, venue, source }) => created_at === null || venue === null || source === null);
  return {
    as_of_ms: single ? read_at_ms : Math.min(read_at_ms, ...stored.map(({ at_ms }) => at_ms)),
    data: {
      mode: single ? "single" : "list",
      items,
      base_rates: getBaseRates(verdicts),
      launches_24h: launches,
      coverage: watch && { ...watch.coverage },
      method: "LR-1",
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      ...(single ? warnOf(single.profile) : [UNDATED]),
      ...(nulls
        ? [
            "items.created_at, items.venue, items.token: null where no pool is listed; items.source: where " +
              "nobody told of it",
          ]
        : []),
      ...(watch ? warnOfWatch("coverage", watch, read_at_ms) : ["coverage: of factories on EVM chains only"]),
      ...(launches === null ? ["launches_24h: of lists only"] : []),
      ...(verdicts.length === 0 ? ["base_rates: this node judged no launch in the last 24 hours"] : []),
    ],
  };
}
