import type { Chart } from "intel-node";
import type { LaunchSniperData } from "./schema.ts";

/** The gates in the order a launch passes them. */
const GATES = [
  ["no hard fail", "hard_fail"],
  ["risk bearable", "risk"],
  ["enough known", "insufficient_evidence"],
  ["liquidity", "liquidity"],
  ["flow known", "flow_unknown"],
] as const;

/** How many launches were seen, judged, and are left after each gate. */
export function drawLaunchSniper({ data }: { readonly data: LaunchSniperData }): readonly Chart[] {
  const { launched, scanned, rejected_counts } = data;
  let left = scanned;
  const bars = GATES.map(([name, why]) => {
    left -= rejected_counts[why];
    return { name, value: left };
  });
  return [
    {
      kind: "bars",
      title: "From launch to candidate",
      unit: "number",
      bars: [{ name: "launched", value: launched }, { name: "judged", value: scanned }, ...bars],
      about:
        "Launches this node saw, those of them judged within half an hour, and what is left after each gate; " +
        "each is counted out at the first it does not pass.",
    },
  ];
}
