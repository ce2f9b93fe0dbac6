import { type Static, Type } from "@sinclair/typebox";
import { closed, count, day, nullable, oneOf, text } from "intel-node";
import { AsKnownAt } from "../companies/as-known-at.ts";

export const EquityDossierParams = Type.Object(
  {
    symbol: Type.Optional(
      Type.String({
        description: "Ticker of a company that files with the SEC, such as AAPL.",
        default: "AAPL",
        pattern: "^[A-Za-z]{1,6}([.\\-/][A-Za-z]{1,2})?$",
        maxLength: 9,
      }),
    ),
    detail: Type.Optional(
      oneOf(["summary", "full"], "summary: without provenance; full: with the facts behind every number.", "summary"),
    ),
    as_known_at: AsKnownAt,
    format: Type.Optional(Type.Literal("json", { description: "Form of the answer: json.", default: "json" })),
  },
  closed,
);

const figure = (description: string) =>
  nullable(Type.Number({ digits: 10 }), `${description}; null when not reported.`);
const ratio = (description: string, when?: string) => nullable(Type.Number({ digits: 8 }), description, when);

/** What is shown of every period. */
export const ITEMS = {
  revenue: "Revenue",
  gross_profit: "Gross profit, or revenue less cost",
  operating_income: "Operating income",
  net_income: "Net income",
  ebitda: "Operating income + depreciation and amortisation",
  cfo: "Cash flow from operations",
  capex: "Capital expenditure",
  fcf: "cfo - capex",
  sbc: "Share-based compensation",
  r_and_d: "Research and development",
  eps_diluted: "Diluted earnings per share",
} as const;
export type ItemId = keyof typeof ITEMS;

const Items = Type.Object(
  Object.fromEntries(Object.entries(ITEMS).map(([id, words]) => [id, figure(words)])) as Record<
    ItemId,
    ReturnType<typeof figure>
  >,
  closed,
);
const Period = Type.Object(
  {
    period_end: day("Last day of the period."),
    derived: Type.Boolean({ description: "Whether its revenue is a difference of reported periods." }),
    ...Items.properties,
  },
  closed,
);

const BALANCE = {
  assets: "Total assets",
  liabilities: "Total liabilities, or assets less equity",
  equity: "Equity of the shareholders",
  cash: "Cash and equivalents",
  short_investments: "Short-term investments",
  debt_long: "Long-term debt",
  debt_short: "Short-term debt",
  net_debt: "Debt less cash and short-term investments",
  shares_out: "Shares outstanding",
} as const;

const RATIOS = {
  gross_margin: "Gross profit / revenue, twelve months",
  operating_margin: "Operating income / revenue, twelve months",
  net_margin: "Net income / revenue, twelve months",
  fcf_margin: "Free cash flow / revenue, twelve months",
  revenue_yoy: "Revenue of the newest quarter / that of a year before - 1",
  revenue_ttm_yoy: "Revenue of twelve months / that of the twelve before - 1",
  revenue_cagr_3y: "(Revenue of the year / that of three years before)^(1/3) - 1",
  roe: "Net income of twelve months / mean equity of now and a year ago",
  roa: "The same on assets",
  roic: "Operating income of twelve months less tax / (debt + equity - cash)",
  current_ratio: "Current assets / current liabilities",
  quick_ratio: "(Cash + short-term investments + receivables) / current liabilities",
  net_debt_to_ebitda: "Net debt / EBITDA of twelve months; null when EBITDA is not above 0",
  interest_cover: "Operating income / interest, twelve months",
  accruals: "(Net income - cfo) / mean assets (Sloan 1996), twelve months",
  sbc_to_revenue: "Share-based compensation / revenue, twelve months",
  capex_to_revenue: "Capital expenditure / revenue, twelve months",
  dilution: "Diluted shares of the newest quarter / those of a year before - 1",
} as const;

const objectOf = <K extends string>(table: Readonly<Record<K, string>>) =>
  Object.fromEntries(
    Object.entries<string>(table).map(([id, words]) => [id, ratio(`${words}; null when an input is missing.`)]),
  ) as Record<K, ReturnType<typeof ratio>>;

const Flag = nullable(Type.Boolean(), "Passed or not; null when an input is missing.");
const Rule = Type.Object(
  {
    rule: text("Which rule."),
    value: Type.Number({ description: "The figure.", digits: 8 }),
    threshold: Type.Number({ description: "The threshold." }),
  },
  closed,
);

const InsiderTrade = Type.Object(
  {
    owner: text("Who, as filed."),
    roles: Type.Array(oneOf(["director", "officer", "ten_percent_owner"], "What that person is to the company."), {
      description: "None when the form states none.",
    }),
    date: day("Day of the trade."),
    code: text("The SEC's code: P bought, S sold on the market, A granted, M exercised, F kept for tax, G given."),
    shares: Type.Number({ description: "Shares.", minimum: 0 }),
    price: nullable(Type.Number({ exclusiveMinimum: 0 }), "US dollars a share; null when none was paid or stated."),
    acquired: Type.Boolean({ description: "Whether they came in; they went out otherwise." }),
    owned_after: nullable(Type.Number({ minimum: 0 }), "Shares held after it; null when not stated."),
    form: oneOf(["3", "4", "5"], "Form."),
    filed: day("When it was filed."),
    accession: text("Its number."),
  },
  closed,
);

const Holdings = Type.Object(
  {
    period_end: day("End of the quarter."),
    forms: Type.Array(
      Type.Object(
        {
          form: text("13F-HR, or 13F-HR/A for an amendment."),
          kind: oneOf(
            ["report", "restatement", "added"],
            "report, or an amendment: restatement replaces all before it, added adds lines to it.",
          ),
          filed: day("When it was filed."),
          accession: text("Its number."),
        },
        closed,
      ),
      { description: "What it is made of, in the order filed; at most 4.", maxItems: 4 },
    ),
    positions: count("Securities held, options apart; lines of one security count once."),
    value_usd: Type.Number({ description: "Their value, US dollars, without options.", minimum: 0 }),
    options_usd: Type.Number({ description: "Value of what its puts and calls are on, US dollars.", minimum: 0 }),
    confidential_omitted: Type.Boolean({ description: "Whether it says that lines were left out as confidential." }),
    largest: Type.Array(
      Type.Object(
        {
          issuer: text("Name of the issuer, as filed."),
          class: text("Title of the class, as filed."),
          put_call: nullable(oneOf(["put", "call"], "Option on it."), "Option on it", "when it is held itself"),
          amount: Type.Number({ description: "How many.", minimum: 0 }),
          amount_of: oneOf(["shares", "principal"], "Shares, or US dollars of principal."),
          value_usd: Type.Number({ description: "Value at the end of the quarter, US dollars.", minimum: 0 }),
        },
        closed,
      ),
      { description: "The 8 largest; without CUSIPs, whose numbers are licensed.", maxItems: 8 },
    ),
  },
  closed,
);

export const EquityDossierSchema = Type.Object(
  {
    company: Type.Object(
      {
        name: text("Name."),
        symbol: text("Ticker."),
        cik: Type.Integer({ description: "The SEC's number of it.", minimum: 1 }),
        exchange: nullable(Type.String(), "Exchange; null when not stated."),
        sic: text("Standard Industrial Classification."),
        sic_description: text("The same in words."),
        fiscal_year_end: nullable(Type.String(), "Month and day a fiscal year ends about, MMDD; null when not stated."),
        filer_category: nullable(Type.String(), "The SEC's category of filer; null when not stated."),
        reporting_currency: text("ISO 4217 of all figures."),
        is_financial: Type.Boolean({
          description: "Bank or insurer (SIC 6000-6799): other formulas, some blocks null.",
        }),
      },
      { ...closed, description: "The company." },
    ),
    known_at: day("Only what was filed by this day is used: today, or as_known_at."),
    as_of_period: day("Newest balance sheet."),
    last_filing: nullable(
      Type.Object(
        { form: text("Form."), filed: day("When."), accession: text("Its number."), url: text("The document.") },
        closed,
      ),
      "Newest annual or quarterly report; null without one in the list.",
    ),
    ttm: Type.Object(Items.properties, { ...closed, description: "The last twelve months, reporting currency." }),
    annual: Type.Array(Period, { description: "Up to 5 fiscal years, newest first.", maxItems: 5 }),
    quarters: Type.Array(Period, { description: "Up to 8 quarters, newest first.", maxItems: 8 }),
    balance: Type.Object(objectOf(BALANCE), { ...closed, description: "Newest balance sheet, reporting currency." }),
    ratios: Type.Object(objectOf(RATIOS), { ...closed, description: "Fractions, not percent." }),
    piotroski: nullable(
      Type.Object(
        {
          score: Type.Integer({ description: "Flags passed.", minimum: 0, maximum: 9 }),
          evaluated: Type.Integer({ description: "Flags with all inputs.", minimum: 0, maximum: 9 }),
          flags: Type.Object(
            {
              roa_positive: Flag,
              cfo_positive: Flag,
              roa_up: Flag,
              cfo_above_income: Flag,
              leverage_not_up: Flag,
              current_ratio_up: Flag,
              shares_not_up: Flag,
              gross_margin_up: Flag,
              turnover_up: Flag,
            },
            { ...closed, description: "Piotroski (2000), last two fiscal years." },
          ),
        },
        closed,
      ),
      "Financial strength; null with fewer than two fiscal years.",
    ),
    altman: nullable(
      Type.Object(
        {
          z: Type.Number({ description: "Altman's Z (1968).", digits: 8 }),
          zone: oneOf(["distress", "grey", "safe"], "Below 1.81, to 2.99, above."),
          parts: Type.Object(
            {
              working_capital: Type.Number({ description: "Working capital / assets, times 1.2.", digits: 8 }),
              retained: Type.Number({ description: "Retained earnings / assets, times 1.4.", digits: 8 }),
              ebit: Type.Number({ description: "Operating income / assets, times 3.3.", digits: 8 }),
              market_cap: Type.Number({ description: "Market capitalisation / liabilities, times 0.6.", digits: 8 }),
              turnover: Type.Number({ description: "Revenue / assets.", digits: 8 }),
            },
            { ...closed, description: "What z is the sum of." },
          ),
        },
        closed,
      ),
      "null without a price or an input, and for banks and insurers.",
    ),
    valuation: nullable(
      Type.Object(
        {
          price: Type.Number({ description: "Price of /stock-quote, US dollars.", exclusiveMinimum: 0, digits: 8 }),
          price_basis: text("What that price is."),
          is_proxy: Type.Boolean({ description: "Whether it is that of a token." }),
          market_cap: ratio("price x shares outstanding; null without shares."),
          ev: ratio("market_cap + debt - cash - short-term investments; null without."),
          pe: ratio("Price / diluted earnings of twelve months", "for a loss"),
          ps: ratio("market_cap / revenue; null without."),
          pb: ratio("market_cap / equity; null when equity is not above 0."),
          ev_ebitda: ratio("ev / EBITDA; null when EBITDA is not above 0."),
          fcf_yield: ratio("Free cash flow / market_cap; null without."),
        },
        closed,
      ),
      "null without a permitted price, with as_known_at of a past day, and for companies that do not report in US " +
        "dollars.",
    ),
    restatements: Type.Array(
      Type.Object(
        {
          concept: text("What was restated."),
          period: text("Its period."),
          old: Type.Number({ description: "As first reported." }),
          new: Type.Number({ description: "As reported now." }),
          accession: text("The filing that changed it."),
        },
        closed,
      ),
      { description: "At most 20 numbers of the last three years that later filings changed.", maxItems: 20 },
    ),
    red_flags: Type.Array(
      Type.Object({ kind: text("What."), date: day("When it was filed."), url: text("The filing.") }, closed),
      { description: "Of the last 24 months: delisting, auditor, reliance, bankruptcy, cyber, late filings." },
    ),
    insiders: nullable(
      Type.Object(
        {
          forms_read: count("Forms 3, 4 and 5 read: the newest, at most 6, of the 180 days up to known_at."),
          bought_shares: Type.Number({ description: "Shares they bought on the market (code P).", minimum: 0 }),
          sold_shares: Type.Number({ description: "Shares they sold on the market (code S).", minimum: 0 }),
          trades: Type.Array(InsiderTrade, { description: "At most 8 lines, newest first.", maxItems: 8 }),
        },
        closed,
      ),
      "What directors, officers and owners of 10 % did with their shares; null when a form could not be read.",
    ),
    holdings_13f: nullable(
      Holdings,
      "What the company itself held of listed securities for others and itself, by its forms 13F-HR of the newest " +
        "quarter; null when it filed none, or when one cannot be read for certain.",
    ),
    next_report: nullable(
      Type.Object(
        {
          date: day("Expected day: results of the same quarter last year + 364 days."),
          earliest: day("Earliest day of the same rule over three years."),
          latest: day("Latest day of the same."),
          hour: oneOf(["bmo", "amc", "during"], "Before New York opens, after it closes, or in between."),
        },
        closed,
      ),
      "When results come next, estimated; null without results of a year ago.",
    ),
    strengths: Type.Array(Rule, { description: "By rule, no advice." }),
    concerns: Type.Array(Rule, { description: "By rule, no advice." }),
    provenance: nullable(
      Type.Record(
        Type.String(),
        Type.Array(
          Type.Object(
            {
              tag: text("XBRL tag."),
              unit: text("Unit."),
              start: nullable(Type.String(), "First day", "for values of a moment"),
              end: text("Last day."),
              accession: text("Filing."),
              filed: text("When it was filed."),
            },
            closed,
          ),
        ),
      ),
      "Facts that ttm and balance are made of, by concept",
      "without detail=full",
    ),
  },
  closed,
);

export type EquityDossierData = Static<typeof EquityDossierSchema>;
export type BalanceId = keyof typeof BALANCE;
export type RatioId = keyof typeof RATIOS;
