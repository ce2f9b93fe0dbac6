export type Frequency = "daily" | "monthly" | "quarterly";
export type IndicatorGroup = "rates" | "inflation" | "fx" | "activity" | "labour" | "fiscal" | "external";

/** A series of the central bank's time series system. */
export interface SGSSeries {
  readonly code: number;
  readonly id: string;
  readonly name: string;
  readonly group: IndicatorGroup;
  readonly unit: string;
  readonly frequency: Frequency;
  /** Possible values: they expose a code that now means another series. */
  readonly range: readonly [min: number, max: number];
  /** Days of it that are asked for. */
  readonly days: number;
}

const MONTHLY_DAYS = 1_200;
const DAILY_DAYS = 420;

const series = (
  code: number,
  id: string,
  about: Omit<SGSSeries, "code" | "id" | "days"> & { readonly days?: number },
): SGSSeries => ({ code, id, days: about.frequency === "daily" ? DAILY_DAYS : MONTHLY_DAYS, ...about });

const rate = (name: string, range: SGSSeries["range"], unit = "% a year") =>
  ({ name, group: "rates", unit, frequency: "daily", range }) as const;
const inflation = (name: string) =>
  ({ name, group: "inflation", unit: "% m/m", frequency: "monthly", range: [-5, 10] }) as const;
const monthly = (name: string, [group, unit]: readonly [IndicatorGroup, string], range: SGSSeries["range"]) =>
  ({ name, group, unit, frequency: "monthly", range }) as const;

/**
 * What is read of it. Ranges are wide enough for any state of the economy since 1999 and narrow enough to tell the
 * series apart that were mixed up before: an index from a percentage, a stock from a flow.
 */
export const SGS_SERIES: readonly SGSSeries[] = [
  series(432, "selic_target", rate("Selic target", [0.5, 50])),
  series(1178, "selic_effective", rate("Selic over, annualised, base 252", [0.5, 50])),
  series(12, "cdi_day", rate("CDI of the day", [0.001, 0.2], "% a day")),
  series(4389, "cdi_annual", rate("CDI annualised, base 252", [0.5, 50])),
  series(433, "ipca", inflation("IPCA")),
  series(13522, "ipca_12m", { ...inflation("IPCA, 12 months"), unit: "% 12 months", range: [-3, 40] }),
  series(7478, "ipca15", inflation("IPCA-15")),
  series(189, "igpm", inflation("IGP-M")),
  series(190, "igpdi", inflation("IGP-DI")),
  series(188, "inpc", inflation("INPC")),
  series(4449, "ipca_administered", inflation("IPCA, administered prices")),
  series(11428, "ipca_free", inflation("IPCA, free prices")),
  series(10844, "ipca_services", inflation("IPCA, services")),
  series(16122, "ipca_core_dp", inflation("IPCA core, double weighting")),
  series(4466, "ipca_core_ms", inflation("IPCA core, smoothed trimmed means")),
  series(1, "ptax_sell", {
    name: "US dollar, PTAX sell",
    group: "fx",
    unit: "BRL",
    frequency: "daily",
    range: [0.8, 25],
  }),
  series(10813, "ptax_buy", {
    name: "US dollar, PTAX buy",
    group: "fx",
    unit: "BRL",
    frequency: "daily",
    range: [0.8, 25],
  }),
  series(24369, "unemployment", monthly("Unemployment, rolling quarter", ["labour", "%"], [2, 30])),
  series(24363, "ibc_br_nsa", monthly("IBC-Br, not adjusted", ["activity", "index"], [60, 300])),
  series(24364, "ibc_br", monthly("IBC-Br, seasonally adjusted", ["activity", "index"], [60, 300])),
  series(13762, "gross_debt", monthly("General government gross debt", ["fiscal", "% of GDP"], [40, 150])),
  series(4513, "net_debt", monthly("Public sector net debt", ["fiscal", "% of GDP"], [20, 120])),
  series(5793, "primary_need_12m", monthly("Primary deficit, 12 months", ["fiscal", "% of GDP"], [-8, 15])),
  series(3546, "reserves_month", monthly("International reserves, month", ["external", "USD mn"], [30_000, 900_000])),
  series(13621, "reserves", {
    name: "International reserves",
    group: "external",
    unit: "USD mn",
    frequency: "daily",
    range: [30_000, 900_000],
  }),
  series(22707, "trade_balance", monthly("Trade balance", ["external", "USD mn"], [-30_000, 40_000])),
  series(22701, "current_account", monthly("Current account", ["external", "USD mn"], [-40_000, 40_000])),
  series(22109, "gdp_volume", {
    name: "GDP volume, seasonally adjusted",
    group: "activity",
    unit: "index",
    frequency: "quarterly",
    range: [80, 400],
    days: 1_500,
  }),
];

/** @throws Error for an id that is not in the list. */
export function seriesOf(id: string): SGSSeries {
  const found = SGS_SERIES.find((one) => one.id === id);
  if (!found) throw new Error(`there is no series "${id}"`);
  return found;
}
