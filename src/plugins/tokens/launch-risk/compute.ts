import { type Computed, type Draft, missing, missingIn } from "intel-node";
import { SCOPE_NOTE, UNDATED, warnOf } from "../judge/assess.ts";
import { warnOfWatch } from "../launches/factory-watch.ts";
import { describeItem } from "../written/describe.ts";
import { NO_SOURCE } from "../written/words.ts";
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

/** A verdict as it was stored, with what is missing of it. */
function explainItem(
  item: Omit<LaunchItemData, "source">,
  source: string | null,
): Draft<LaunchRiskData["items"][number]> {
  const unlisted = missing("no pool of it is listed");
  return {
    ...item,
    token: missingIn(item.token, NO_SOURCE),
    created_at: item.created_at ?? unlisted,
    venue: item.venue ?? unlisted,
    factors: missingIn(item.factors, NO_SOURCE),
    source: source ?? missing("nobody told of the launch"),
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
}: LaunchRiskInputs): Computed<Draft<LaunchRiskData>> {
  // The stored data had this schema when it was judged.
  const judged = single ? [describeItem(single, null)] : stored.map(({ item }) => item as LaunchItemData);
  const items = judged.map((item) => explainItem(item, origins.get(item.token.address) ?? null));
  return {
    as_of_ms: single ? read_at_ms : Math.min(read_at_ms, ...stored.map(({ at_ms }) => at_ms)),
    data: {
      mode: single ? "single" : "list",
      items,
      base_rates: missingIn(getBaseRates(verdicts), "this node judged no launch in the last 24 hours"),
      launches_24h: launches ?? missing("of lists only"),
      coverage: watch ? { ...watch.coverage } : missing("of factories on EVM chains only"),
      method: "LR-1",
      scope_note: SCOPE_NOTE,
      not_advice: true,
    },
    warnings: [
      ...(single ? warnOf(single.profile) : [UNDATED]),
      ...(watch ? warnOfWatch("coverage", watch, read_at_ms) : []),
    ],
  };
}
