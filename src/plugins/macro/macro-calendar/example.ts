import type { MacroCalendarData, MacroEvent } from "./schema.ts";

const none = { window_days: null, consensus: null, surprise: null, all_day: false } as const;
const cpi: MacroEvent = {
  ...{ id: "US:cpi:2026-11-10", kind: "cpi", title: "Consumer Price Index", country: "US", currency: "USD" },
  ...{ time_utc: "2026-11-10T13:30:00Z", time_local: "2026-11-10 08:30", zone: "America/New_York", ...none },
  ...{ importance: "high", period: "2026-10", status: "released", previous: 0.31, actual: 0.28435548, unit: "% m/m" },
  ...{ vs_trailing: 0.6121, source: "bls", url: "https://www.bls.gov/schedule/news_release/" },
};
const fomc: MacroEvent = {
  ...{ id: "US:fomc:2026-12-09", kind: "fomc", title: "FOMC statement", country: "US", currency: "USD" },
  ...{ time_utc: "2026-12-09T19:00:00Z", time_local: "2026-12-09 14:00", zone: "America/New_York", ...none },
  ...{ importance: "high", period: null, status: "scheduled", previous: null, actual: null, unit: null },
  ...{ vs_trailing: null, source: "fed", url: "https://www.federalreserve.gov/newsevents/calendar.htm" },
};

const data: MacroCalendarData = {
  from: "2026-11-07",
  to: "2026-12-09",
  events: [cpi, fomc],
  next_high_impact: { id: "US:fomc:2026-12-09", time_utc: "2026-12-09T19:00:00Z", hours_until: 607 },
  coverage: [
    { source: "fed", state: "ok" },
    { source: "bls", state: "ok" },
    { source: "fred", state: "ok" },
  ],
};

export const example = { params: {}, as_of: "2026-11-14T12:00:00Z", data };
