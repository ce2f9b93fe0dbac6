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

/** How many launches are left after each gate. */
export function drawLaunchSniper({ data }: { readonly data: LaunchSniperData }): readonly Chart[] {
  const { scanned, rejected_counts } = data;
  let left = scanned;
  const bars = GATES.map(([name, why]) => {
    left -= rejected_counts[why];
    return { name, value: left };
  });
  return [
    {
      ...{ kind: "bars", title: "Launches left after each gate", unit: "number" },
      bars: [{ name: "judged", value: scanned }, ...bars],
      about: "Launches judged within half an hour; each is counted out at the first gate it does not pass.",
    },
  ];
}
