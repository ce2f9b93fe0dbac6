import type { Computed } from "intel-node";
import { describeItem } from "../shared/describe.ts";
import { SCOPE_NOTE, UNDATED, warnOf } from "../shared/judge/assess.ts";
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
}: LaunchRiskInputs): Computed<LaunchRiskData> {
  // What was stored was of this schema when it was judged.
  const items = single ? [describeItem(single, null)] : stored.map(({ item }) => item as LaunchItemData);
  const nulls = items.some(({ created_at, venue }) => created_at === null || venue === null);
  return {
    as_of_ms: single ? read_at_ms : Math.min(read_at_ms, ...stored.map(({ at_ms }) => at_ms)),
    data: {
      mode: single ? "single" : "list",
      items,
      base_rates: getBaseRates(verdicts),
      method: "LR-1",
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      ...(single ? warnOf(single.profile) : [UNDATED]),
      ...(nulls ? ["items.created_at, items.venue, items.token: null where no pool is listed"] : []),
      ...(verdicts.length === 0 ? ["base_rates: this node judged no launch in the last 24 hours"] : []),
    ],
  };
}
