import { createPack, dayOf, type FactDraft, type NamedDay, type PackBuilder, type PackFrame } from "intel-node";
import type { AgroData } from "../br-agro/schema.ts";
import type { CurveData, Tenor } from "../br-curve/schema.ts";
import type { EquityData } from "../br-equity/schema.ts";
import type { MacroData } from "../br-macro/schema.ts";
import { type BrazilParts, dataOf } from "./parts.ts";

const MILLION = 1e6;
const TENORS: readonly Tenor[] = ["6m", "1y", "2y", "5y", "10y"];

interface Own {
  readonly from: string;
  readonly as_of: string;
}

type Drafts = readonly FactDraft[];
const millions = (value: number | null): number | null => (value === null ? null : value * MILLION);

function listPrices({ selic, inflation, real_rates }: MacroData, own: Own): Drafts {
  const pct = { ...own, unit: "pct" } as const;
  const ipca = { ...pct, about: "IPCA" } as const;
  return [
    { ...pct, name: "selic", label: "Selic target", about: "Selic", value: selic.target_pct },
    {
      ...own,
      name: "selic_days",
      label: "days to the next Copom decision",
      unit: "days",
      value: selic.days_to_meeting,
    },
    { ...ipca, name: "ipca_mom", label: "IPCA of its newest month", value: inflation.ipca_mom },
    { ...ipca, name: "ipca_12m", label: "IPCA over 12 months", window: "12m", value: inflation.ipca_12m },
    { ...ipca, name: "ipca_3m", label: "IPCA of 3 months, annual rate", window: "3m", value: inflation.ipca_3m_saar },
    {
      ...own,
      name: "ipca_gap",
      label: "IPCA over 12 months minus target",
      unit: "pp",
      kind: "change",
      about: "IPCA",
      value: inflation.gap_pp,
    },
    { ...pct, name: "target", label: "inflation target", value: inflation.target },
    { ...pct, name: "band_low", label: "lower end of the target band", value: inflation.band_low },
    { ...pct, name: "band_high", label: "upper end of the target band", value: inflation.band_high },
    { ...pct, name: "ipca15", label: "IPCA-15 of its newest month", value: inflation.ipca15_mom },
    { ...pct, name: "igpm_12m", label: "IGP-M over 12 months", window: "12m", value: inflation.igpm_12m },
    {
      ...pct,
      name: "core_12m",
      label: "mean of two cores over 12 months",
      window: "12m",
      value: inflation.core_mean_12m,
    },
    { ...pct, name: "ex_ante", label: "ex-ante real rate", value: real_rates.ex_ante },
    { ...pct, name: "ex_post", label: "ex-post real rate", value: real_rates.ex_post },
  ];
}

function listEconomy({ fx, activity, labour, fiscal, external }: MacroData, own: Own): Drafts {
  const [pct, change, usd] = [
    { ...own, unit: "pct" },
    { ...own, unit: "pct", kind: "change" },
    { ...own, unit: "usd" },
  ] as const;
  const ptax = { ...change, about: "PTAX" } as const;
  return [
    { ...own, name: "ptax", label: "PTAX, sell", unit: "brl", about: "PTAX", value: fx.ptax_sell },
    { ...ptax, name: "ptax_5d", label: "PTAX change, 5 business days", window: "5d", value: fx.change_5d_pct },
    { ...ptax, name: "ptax_21d", label: "PTAX change, 21 business days", window: "21d", value: fx.change_21d_pct },
    {
      ...own,
      name: "ptax_low",
      label: "PTAX, a standard deviation down over 21 days",
      unit: "brl",
      about: "PTAX",
      value: fx.band_1m_low,
    },
    {
      ...own,
      name: "ptax_high",
      label: "PTAX, a standard deviation up over 21 days",
      unit: "brl",
      about: "PTAX",
      value: fx.band_1m_high,
    },
    { ...change, name: "ibc_3m3m", label: "IBC-Br, 3 months over 3 months", value: activity.ibc_br_3m3m },
    { ...pct, name: "unemployment", label: "unemployment", value: labour.unemployment_pct },
    { ...pct, name: "gross_debt", label: "gross debt, % of GDP", value: fiscal.gross_debt },
    {
      ...own,
      name: "debt_12m",
      label: "change of the gross debt, 12 months",
      unit: "pp",
      kind: "change",
      window: "12m",
      value: fiscal.change_12m_pp,
    },
    {
      ...pct,
      name: "primary_12m",
      label: "primary balance of 12 months, % of GDP",
      window: "12m",
      value: fiscal.primary_balance_12m,
    },
    { ...usd, name: "reserves", label: "reserves", value: millions(external.reserves) },
    {
      ...usd,
      name: "trade",
      label: "trade balance of the newest month",
      value: millions(external.trade_balance_month),
    },
  ];
}

const CURVE_WINDOWS = [
  { window: "1d", days: "1 day", field: "change_1d_bps" },
  { window: "5d", days: "5 days", field: "change_5d_bps" },
  { window: "21d", days: "21 days", field: "change_21d_bps" },
] as const;

function listCurve({ curve, slopes, forwards, pca_like, focus_gap_bps, copom_path }: CurveData, own: Own): Drafts {
  const bps = { ...own, unit: "bps", kind: "change" } as const;
  const points = TENORS.flatMap((tenor): Drafts => {
    const point = curve.find((one) => one.tenor === tenor);
    if (!point) return [];
    return [
      { ...own, name: `di_${tenor}`, label: `DI rate of ${tenor}`, unit: "pct", value: point.nominal },
      { ...own, name: `real_${tenor}`, label: `real rate of ${tenor}`, unit: "pct", value: point.real },
      {
        ...own,
        name: `breakeven_${tenor}`,
        label: `breakeven inflation of ${tenor}`,
        unit: "pct",
        value: point.breakeven,
      },
      ...CURVE_WINDOWS.map(({ window, days, field }) => ({
        ...bps,
        name: `di_${tenor}_${window}`,
        label: `change of the DI rate of ${tenor}, ${days}`,
        window,
        value: point[field],
      })),
    ];
  });
  return [
    ...points,
    { ...own, name: "slope_2s10s", label: "10 years minus 2 years", unit: "bps", value: slopes.s2s10s },
    {
      ...own,
      name: "breakeven_5y5y",
      label: "breakeven inflation of 5 years in 5 years",
      unit: "pct",
      value: forwards.breakeven_5y5y,
    },
    { ...bps, name: "level_21d", label: "mean change of all terms, 21 days", window: "21d", value: pca_like.level_21d },
    { ...bps, name: "focus_gap", label: "implied rate of the year's end minus the survey", value: focus_gap_bps },
    { ...bps, name: "next_step", label: "step implied for the next Copom decision", value: copom_path?.[0]?.step_bps },
    {
      ...own,
      name: "next_rate",
      label: "rate implied after the next Copom decision",
      unit: "pct",
      value: copom_path?.[0]?.implied_rate,
    },
  ];
}

function listEquity({ close, change_pct, returns, drawdown_pct, members }: EquityData, own: Own): Drafts {
  const ibov = { ...own, unit: "pct", kind: "change", about: "Ibovespa" } as const;
  const [best, worst] = [members?.best[0], members?.worst[0]];
  return [
    { ...own, name: "ibov", label: "Ibovespa, close", unit: "index", about: "Ibovespa", value: close },
    { ...ibov, name: "ibov_1d", label: "Ibovespa change, 1 day", window: "1d", value: change_pct },
    { ...ibov, name: "ibov_5d", label: "Ibovespa change, 5 days", window: "5d", value: returns.d5 },
    { ...ibov, name: "ibov_21d", label: "Ibovespa change, 21 days", window: "21d", value: returns.d21 },
    { ...ibov, name: "ibov_drawdown", label: "Ibovespa from its maximum", value: drawdown_pct },
    { ...own, name: "advancers", label: "members that rose", unit: "count", value: members?.advancers },
    { ...own, name: "members", label: "members with a close", unit: "count", value: members?.n },
    { ...own, name: "breadth", label: "share of members that rose", unit: "pct", value: members?.breadth_pct },
    {
      ...own,
      name: "best",
      label: "largest rise of the index",
      unit: "pct",
      kind: "change",
      window: "1d",
      value: best?.change_pct,
      about: best?.symbol ?? null,
    },
    {
      ...own,
      name: "worst",
      label: "largest fall of the index",
      unit: "pct",
      kind: "change",
      window: "1d",
      value: worst?.change_pct,
      about: worst?.symbol ?? null,
    },
  ];
}

/** The front future's settlement of one of some contracts, in reais. */
export const frontBRL = ({ futures }: AgroData, roots: readonly string[]): number | null =>
  roots.flatMap((root) => futures.find((one) => one.root === root && one.front)?.settle_brl ?? [])[0] ?? null;

function listAgro(agro: AgroData, own: Own): Drafts {
  const brl = { ...own, unit: "brl" } as const;
  const soy = agro.crop?.find(({ crop }) => crop === "soy");
  return [
    { ...brl, name: "cattle", label: "live cattle, front future, per arroba", value: frontBRL(agro, ["BGI"]) },
    { ...brl, name: "corn", label: "corn, front future, per sack of 60 kg", value: frontBRL(agro, ["CCM"]) },
    { ...brl, name: "soy", label: "soy, front future, per sack of 60 kg", value: frontBRL(agro, ["SJC", "SOY"]) },
    {
      ...own,
      name: "cattle_corn",
      label: "sacks of corn an arroba of cattle buys",
      unit: "number",
      value: agro.ratios.cattle_corn.value,
    },
    {
      ...own,
      name: "cattle_corn_rank",
      label: "rank of that ratio in 52 weeks",
      unit: "pct",
      value: agro.ratios.cattle_corn.percentile_52w,
    },
    { ...own, name: "soy_crop", label: "soy crop of the year, tonnes", unit: "number", value: soy?.production_t },
    {
      ...own,
      name: "soy_crop_yoy",
      label: "soy crop, change to a year before",
      unit: "pct",
      kind: "change",
      value: soy?.change_yoy_pct,
    },
  ];
}

function listFocus({ focus }: MacroData, own: Own): Drafts {
  const [first] = focus?.map(({ year }) => year) ?? [];
  const of = (indicator: string) => focus?.find((one) => one.indicator === indicator && one.year === first);
  const [ipca, selic, gdp, usd] = [of("ipca"), of("selic"), of("gdp"), of("usd_brl")];
  const pct = { ...own, unit: "pct" } as const;
  return [
    { ...pct, name: "focus_ipca", label: "Focus median, IPCA of the year", value: ipca?.median },
    {
      ...own,
      name: "focus_ipca_4w",
      label: "Focus, IPCA of the year, change in 4 weeks",
      unit: "pp",
      kind: "change",
      window: "4w",
      value: ipca?.change_4w,
    },
    { ...pct, name: "focus_selic", label: "Focus median, Selic at the end of the year", value: selic?.median },
    { ...pct, name: "focus_gdp", label: "Focus median, GDP of the year", value: gdp?.median },
    {
      ...own,
      name: "focus_usd",
      label: "Focus median, dollar at the end of the year",
      unit: "brl",
      value: usd?.median,
    },
  ];
}

const MACRO = "/br-macro";
const CURVE = "/br-curve";

/** The days a text on Brazil may name. */
function listDays(parts: BrazilParts): readonly NamedDay[] {
  const [macro, curve, equity, agro] = [
    dataOf(parts, "macro"),
    dataOf(parts, "curve"),
    dataOf(parts, "equity"),
    dataOf(parts, "agro"),
  ];
  const { selic, inflation, fx, focus } = macro ?? {};
  const year = focus?.[0]?.year;
  const rows: readonly (readonly [from: string, name: string, label: string, date: NamedDay["date"]])[] = [
    [MACRO, "selic_since", "Selic target, since", selic?.since_date],
    [MACRO, "copom_next", "next decision of the Copom", selic?.next_meeting_date],
    [MACRO, "ipca_period", "IPCA, newest month", inflation?.ipca_period],
    [MACRO, "ptax_date", "PTAX, day", fx?.date],
    [MACRO, "focus_date", "Focus survey, day", focus?.[0]?.survey_date],
    [MACRO, "focus_year", "Focus survey, end of its year", year === undefined ? null : `${year}-12-31`],
    [CURVE, "curve_date", "curve, day", curve?.reference_date],
    [CURVE, "copom_priced", "decision of the Copom that DI futures price", curve?.copom_path?.[0]?.meeting_date],
    ["/br-equity", "equity_date", "Ibovespa, day", equity?.trade_date],
    ["/br-agro", "agro_date", "farm futures, day", agro?.trade_date],
  ];
  return rows.map(([from, name, label, date]) => ({ from, name, label, date }));
}

/** A pack of everything the products of the domain know; other domains' facts are added by the caller. */
export function createBrazilFacts(
  parts: BrazilParts,
  { subjects = {}, windows = [], days = [] }: Pick<PackFrame, "subjects" | "windows" | "days"> = {},
): PackBuilder {
  const equity = dataOf(parts, "equity");
  const tickers = [equity?.members?.best[0]?.symbol, equity?.members?.worst[0]?.symbol].flatMap((one) => one ?? []);
  const builder = createPack({
    days: [...listDays(parts), ...days],
    identifiers: ["60 kg", "IPCA-15", "IGP-M", "IBC-Br", "ex-ante", "ex-post"],
    windows: ["1d", "5d", "21d", "3m", "6m", "12m", "4w", "1y", "2y", "5y", "10y", "14d", ...windows],
    subjects: {
      Selic: [],
      IPCA: [],
      PTAX: [],
      Ibovespa: ["IBOV"],
      ...Object.fromEntries(tickers.map((ticker) => [ticker, []])),
      ...subjects,
    },
  });
  const add = (name: keyof BrazilParts, path: string, list: (own: Own) => Drafts) => {
    const part = parts[name];
    if (part.ok) builder.addAll(list({ from: path, as_of: dayOf(new Date(part.value.as_of_ms).toISOString()) }));
  };
  const [macro, curve, agro] = [dataOf(parts, "macro"), dataOf(parts, "curve"), dataOf(parts, "agro")];
  if (macro)
    add("macro", "/br-macro", (own) => [
      ...listPrices(macro, own),
      ...listEconomy(macro, own),
      ...listFocus(macro, own),
    ]);
  if (curve) add("curve", "/br-curve", (own) => listCurve(curve, own));
  if (equity) add("equity", "/br-equity", (own) => listEquity(equity, own));
  if (agro) add("agro", "/br-agro", (own) => listAgro(agro, own));
  return builder;
}
