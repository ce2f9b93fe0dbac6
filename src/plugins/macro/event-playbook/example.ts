import type { EventPlaybookData } from "./schema.ts";

const data: EventPlaybookData = {
  ...{ event: "fomc", title: "FOMC statement", release_time_local: "14:00", zone: "America/New_York" },
  ...{ n_events: 110, first: "2013-01-30", last: "2026-10-28" },
  excluded: [{ date: "2020-03-03", reason: "unscheduled meeting" }],
  next_occurrence: { time_utc: "2026-12-09T19:00:00Z", hours_until: 418, status: "scheduled" },
  assets: [
    {
      ...{ id: "EURUSD", title: "EUR/USD", provider: "ecb", is_proxy: false, unit: "percent" },
      last_observation: "2026-11-20",
      windows: [
        {
          ...{ window: "d0", n: 110, mean: 0.041, median: 0.022, sd: 0.62, t: 0.6936, p: 0.4894, p_adj: 0.81 },
          ...{ hit_rate: 0.518182, wilson_low: 0.425777, wilson_high: 0.609371, min: -1.71, max: 1.93 },
          ...{ mean_abs: 0.47, baseline_n: 3_260, baseline_mean: -0.002, baseline_mean_abs: 0.35, vol_ratio: 1.342857 },
          ...{ welch_p: 0.002, edge: "volatile" },
        },
      ],
    },
  ],
  conditional: [
    {
      ...{ asset: "EURUSD", window: "d0", condition: "above_50", n: 52, mean: 0.06, hit_rate: 0.538462 },
      ...{ wilson_low: 0.404925, wilson_high: 0.666679, t: 0.71 },
    },
  ],
  current_conditions: { EURUSD: "below_50" },
  playbook: [
    {
      ...{ asset: "EURUSD", label: "volatile", n: 110, p_adj: 0.81, vol_ratio: 1.342857 },
      statement: "EURUSD moved more than on ordinary days, without a direction.",
    },
  ],
  events: [{ date: "2026-10-28", moves: { EURUSD: -0.31 } }],
};

export const example = { params: { event: "fomc" as const }, as_of: "2026-11-21T00:00:00Z", data };
