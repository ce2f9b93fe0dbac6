import type { LaunchSniperData } from "./schema.ts";

const data: LaunchSniperData = {
  candidates: [],
  rejected_counts: {
    hard_fail: 1,
    insufficient_evidence: 0,
    risk: 1,
    liquidity: 4,
    flow_unknown: 0,
  },
  scanned: 6,
  scope_note: "Not checked: whether the sources are right, the owner's plans, other pools, who the holders are.",
  not_advice: true,
};

export const example = { params: {}, as_of: "2026-11-21T06:00:00Z", data };
