import type { FredId } from "intel-node/providers/fred/series";

export type Importance = "high" | "medium" | "low";

export const COUNTRIES = ["US", "EA", "GB", "JP", "CN", "BR"] as const;
type Country = (typeof COUNTRIES)[number];
export const CURRENCIES = ["USD", "EUR", "GBP", "JPY", "CNY", "BRL"] as const;
type Currency = (typeof CURRENCIES)[number];

/** How a release's number follows from its series. */
export interface Measure {
  readonly series: FredId;
  /** pct: percent against the observation before; diff: difference to it; level: unchanged. */
  readonly as: "pct" | "diff" | "level";
  readonly unit: string;
  readonly period: "month" | "quarter" | "week";
  /**
   * A release never comes earlier after the end of its period, days: what comes at the end of a month or in the first
   * days of the next one (JOLTS of August on 29 September, of September on 3 November) is distinguished by it.
   */
  readonly lag_days_min?: number;
}

export interface EventKind {
  readonly title: string;
  readonly country: Country;
  readonly currency: Currency;
  readonly importance: Importance;
  readonly zone: string;
  /** Usual time of day there. */
  readonly time: string;
  readonly measure?: Measure;
}

/** Title, importance, usual time of day. */
type Usual = readonly [title: string, importance: Importance, time: string];
const us = ([title, importance, time]: Usual, measure?: Measure): EventKind => ({
  title,
  country: "US",
  currency: "USD",
  importance,
  zone: "America/New_York",
  time,
  ...(measure ? { measure } : {}),
});
const euro = ([title, importance, time]: Usual): EventKind => ({
  title,
  country: "EA",
  currency: "EUR",
  importance,
  zone: "Europe/Berlin",
  time,
});
const monthly = ([series, as, unit]: readonly [FredId, Measure["as"], unit: string], lag_days_min = 0): Measure => ({
  series,
  as,
  unit,
  period: "month",
  lag_days_min,
});
/** Those of BLS and BEA that come three weeks and more after their period. */
const LATE_DAYS_MIN = 15;

/** Every kind of event there is. Importance is this node's own judgement of how markets take them. */
export const KINDS = {
  fomc: us(["FOMC statement", "high", "14:00"]),
  fomc_press: us(["FOMC press conference", "high", "14:30"]),
  fomc_minutes: us(["FOMC minutes", "medium", "14:00"]),
  beige_book: us(["Beige Book", "low", "14:00"]),
  cpi: us(["Consumer Price Index", "high", "08:30"], monthly(["CPIAUCSL", "pct", "% m/m"])),
  jobs: us(["Employment Situation", "high", "08:30"], monthly(["PAYEMS", "diff", "thousand jobs"])),
  ppi: us(["Producer Price Index", "medium", "08:30"], monthly(["PPIFIS", "pct", "% m/m"])),
  jolts: us(
    ["Job openings (JOLTS)", "medium", "10:00"],
    monthly(["JTSJOL", "level", "thousand openings"], LATE_DAYS_MIN),
  ),
  pce: us(["Personal income and outlays (PCE)", "high", "08:30"], monthly(["PCEPI", "pct", "% m/m"], LATE_DAYS_MIN)),
  gdp: us(["Gross Domestic Product", "high", "08:30"], {
    series: "A191RL1Q225SBEA",
    as: "level",
    unit: "% q/q annualised",
    period: "quarter",
    lag_days_min: LATE_DAYS_MIN,
  }),
  retail: us(["Advance retail sales", "medium", "08:30"], monthly(["RSAFS", "pct", "% m/m"])),
  claims: us(["Initial jobless claims", "medium", "08:30"], {
    series: "ICSA",
    as: "level",
    unit: "claims",
    period: "week",
  }),
  auction: us(["Treasury auction, 10 or 30 years", "medium", "13:00"]),
  tips_auction: us(["Treasury auction of TIPS, 10 or 30 years", "medium", "13:00"]),
  boe: {
    title: "Bank of England, Bank Rate",
    country: "GB",
    currency: "GBP",
    importance: "high",
    zone: "Europe/London",
    time: "12:00",
  },
  // It states no time: the decision comes when the meeting ends, around noon.
  boj: {
    title: "Bank of Japan monetary policy decision",
    country: "JP",
    currency: "JPY",
    importance: "high",
    zone: "Asia/Tokyo",
    time: "12:00",
  },
  pboc: {
    title: "China, loan prime rate (PBoC)",
    country: "CN",
    currency: "CNY",
    importance: "medium",
    zone: "Asia/Shanghai",
    time: "09:00",
  },
  copom: {
    title: "Copom decision, Selic target",
    country: "BR",
    currency: "BRL",
    importance: "high",
    zone: "America/Sao_Paulo",
    time: "18:30",
  },
  ecb: euro(["ECB monetary policy decision", "high", "14:15"]),
  hicp: euro(["HICP, euro area", "medium", "11:00"]),
  unemployment_ea: euro(["Unemployment, euro area", "low", "11:00"]),
  gdp_ea: euro(["GDP, euro area", "medium", "11:00"]),
} as const satisfies Readonly<Record<string, EventKind>>;

export type KindId = keyof typeof KINDS;
export const getKind = (kind: KindId): EventKind => KINDS[kind];

/** One event of one calendar. */
export interface ScheduledEvent {
  readonly kind: KindId;
  /** Distinguishes it from others of its kind: a part of its id, and its own title. */
  readonly detail?: { readonly id: string; readonly title: string };
  /** The first day of the period it is about, where the calendar says. */
  readonly about?: string;
  readonly at_ms: number;
  readonly all_day: boolean;
  /** scheduled: the publisher's own date; tentative: its usual day; estimated: worked out by a rule. */
  readonly status: "scheduled" | "tentative" | "estimated";
  /** Days around it within which an estimate was right so far. */
  readonly window_days: number | null;
  readonly source: string;
}
