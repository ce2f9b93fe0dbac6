import { type Static, Type } from "@sinclair/typebox";
import { closed, count, day, nullable, number, oneOf, text } from "intel-node";

const FOUR = { decimals: 4 } as const;
const figure = (description: string, decimals = 4) =>
  nullable(Type.Number({ decimals }), `${description}; null when unknown.`);
const object = <P extends Parameters<typeof Type.Object>[0]>(properties: P, description: string) =>
  Type.Object(properties, { ...closed, description });

export const MacroParams = Type.Object(
  {
    detail: oneOf(
      ["summary", "full"],
      "summary: the figures, and the survey of this year; full: every series and all years of the survey as well.",
      "summary",
    ),
  },
  closed,
);
export type MacroParams = Static<typeof MacroParams>;

const Indicator = Type.Object(
  {
    id: text("Short name of the series."),
    name: text("Its name."),
    group: oneOf(["rates", "inflation", "fx", "activity", "labour", "fiscal", "external"], "What it is about."),
    value: number("Newest observation, in `unit`.", FOUR),
    unit: text("Unit of value and previous."),
    period: day("Day of the observation; the first day of its month or quarter."),
    previous: nullable(Type.Number(FOUR), "Observation before it", "for the first one"),
    change: nullable(Type.Number(FOUR), "value - previous, in `unit`."),
    source: text("Publisher."),
    series_code: count("Number of the series at the central bank."),
    stale: Type.Boolean({ description: "Whether it is older than 2.5 times its period." }),
  },
  closed,
);

const Focus = Type.Object(
  {
    indicator: oneOf(["ipca", "igpm", "gdp", "usd_brl", "selic", "gross_debt"], "What is expected."),
    year: Type.Integer({ description: "For the end of this year, or over it." }),
    median: number("Median answer: percent, BRL per US dollar, or percent of GDP.", FOUR),
    mean: number("Mean answer.", FOUR),
    sd: number("Standard deviation of the answers.", FOUR),
    min: number("Lowest answer.", FOUR),
    max: number("Highest answer.", FOUR),
    respondents: count("How many answered in the last 30 days."),
    change_4w: figure("Median now minus the median four weeks before"),
    survey_date: day("Day of the survey."),
  },
  closed,
);

const Meeting = Type.Object(
  {
    meeting: text("The survey's name of the meeting, such as R1/2027: the first of that year."),
    median: number("Expected Selic target after it, % a year.", FOUR),
    survey_date: day("Day of the survey."),
  },
  closed,
);

const Release = Type.Object(
  {
    time_utc: text("When, ISO 8601 UTC."),
    title: text("What is published or decided."),
    source: oneOf(["ibge", "bcb"], "Its publisher."),
    url: nullable(Type.String(), "Where; null when not stated."),
  },
  closed,
);

const Score = object(
  {
    pressure: number("-100 (towards lower rates) to 100 (towards higher ones).", { decimals: 2 }),
    factors: Type.Array(
      Type.Object(
        {
          name: oneOf(["inflation_gap", "momentum", "expectations", "activity", "fx"], "What presses."),
          value: number("-1 to 1.", { decimals: 6 }),
          weight: number("Share of the known factors.", FOUR),
          contribution: number("100 x value x weight.", { decimals: 2 }),
        },
        closed,
      ),
      { description: "What it is made of." },
    ),
  },
  "Which way the figures press on the policy rate: this node's own heuristic, no forecast.",
);

export const MacroSchema = Type.Object(
  {
    indicators: Type.Array(Indicator, {
      description: "Every series, with its newest observation; empty unless `detail` is full.",
    }),
    selic: object(
      {
        target_pct: number("Selic target, % a year.", FOUR),
        since_date: nullable(Type.String(), "First day of this target within the stored year; null when it is older."),
        last_step_bps: figure("Last change of the target, basis points", 1),
        effective_pct: figure("Effective rate, % a year of 252 business days"),
        di_minus_target_bps: figure("CDI minus target, basis points", 1),
        next_meeting_date: nullable(Type.String(), "Day of the next decision; null when not published."),
        days_to_meeting: nullable(Type.Integer(), "Calendar days to it; null likewise."),
      },
      "The policy rate.",
    ),
    inflation: object(
      {
        ipca_mom: number("IPCA of the newest month, percent.", FOUR),
        ipca_period: day("First day of that month."),
        ipca_12m: figure("IPCA over 12 months, percent"),
        ipca_3m_saar: figure("IPCA of 3 months at an annual rate, not seasonally adjusted, percent"),
        ipca_ytd: figure("IPCA of the year so far, percent"),
        ipca15_mom: figure("IPCA-15 of its newest month, percent"),
        igpm_12m: figure("IGP-M over 12 months, percent"),
        inpc_12m: figure("INPC over 12 months, percent"),
        services_12m: figure("Services of the IPCA over 12 months, percent"),
        administered_12m: figure("Administered prices of the IPCA over 12 months, percent"),
        core_mean_12m: figure("Mean of two cores (double weighting, smoothed trimmed means) over 12 months, percent"),
        target: number("Inflation target, percent.", FOUR),
        band_low: number("Lower end of its band, percent.", FOUR),
        band_high: number("Upper end of its band, percent.", FOUR),
        gap_pp: figure("ipca_12m minus target, percentage points"),
        months_outside_band: count("Months the 12-month rate has been outside the band until now, in a row."),
        longest_run: count("Longest such run since the target holds."),
        breach: Type.Boolean({
          description: "Whether it has been outside for 6 months in a row: the target is missed.",
        }),
        required_mom_to_focus: figure("Monthly IPCA that ends the year at the survey's median, percent"),
      },
      "Consumer prices against the target.",
    ),
    real_rates: object(
      {
        ex_ante: figure("1-year DI over expected IPCA of 12 months, percent"),
        ex_post: figure("Selic target over IPCA of the last 12 months, percent"),
        ex_ante_basis: text("What ex_ante is made of."),
      },
      "Interest rates after inflation.",
    ),
    fx: object(
      {
        ptax_buy: number("BRL for one US dollar, closing PTAX, buy.", FOUR),
        ptax_sell: number("The same, sell.", FOUR),
        date: day("Its day."),
        change_1d_pct: figure("Change of the sell rate over 1 business day, percent"),
        change_5d_pct: figure("Over 5 business days, percent"),
        change_21d_pct: figure("Over 21 business days, percent"),
        change_252d_pct: figure("Over 252 business days, percent"),
        vol_63d_pct: figure("Realised volatility of 63 daily log returns, % a year of 252 days"),
        band_1m_low: figure("One standard deviation down over 21 days at that volatility, lognormal, BRL"),
        band_1m_high: figure("The same up, BRL"),
      },
      "The US dollar in reais.",
    ),
    activity: object(
      {
        ibc_br_mom_sa: figure("IBC-Br, change over the month, seasonally adjusted, percent"),
        ibc_br_3m3m: figure("Mean of 3 months over that of the 3 before, percent"),
        ibc_br_yoy: figure("Change over the year, not adjusted, percent"),
        gdp_qoq_sa: figure("GDP volume, change over the quarter, seasonally adjusted, percent"),
      },
      "Activity.",
    ),
    labour: object(
      {
        unemployment_pct: figure("Unemployment of the rolling quarter, percent"),
        change_yoy_pp: figure("Change over the year, percentage points"),
        period: nullable(Type.String(), "First day of the quarter's last month; null when unknown."),
      },
      "Labour.",
    ),
    fiscal: object(
      {
        gross_debt: figure("General government gross debt, % of GDP"),
        net_debt: figure("Public sector net debt, % of GDP"),
        primary_balance_12m: figure("Primary balance of 12 months, % of GDP, surplus positive"),
        change_12m_pp: figure("Change of the gross debt over 12 months, percentage points"),
      },
      "Public accounts.",
    ),
    external: object(
      {
        reserves: figure("International reserves, USD million", 1),
        trade_balance_month: figure("Trade balance of the newest month, USD million", 1),
        trade_balance_12m: figure("Of 12 months, USD million", 1),
        current_account_12m: figure("Current account of 12 months, USD million", 1),
      },
      "External accounts.",
    ),
    focus: nullable(
      Type.Array(Focus),
      "The central bank's survey for this year, in full for the next two as well; null when missing.",
    ),
    focus_selic: nullable(Type.Array(Meeting), "Expected policy rate meeting by meeting; null when missing."),
    focus_ipca_12m: figure("Expected IPCA of the next 12 months, smoothed median, percent"),
    calendar: nullable(Type.Array(Release), "Releases and decisions of the next 14 days; null when IBGE's is missing."),
    score: nullable(Score, "Null with fewer than 4 of its 5 factors."),
    text: text("The same in two sentences."),
  },
  closed,
);
export type MacroData = Static<typeof MacroSchema>;
