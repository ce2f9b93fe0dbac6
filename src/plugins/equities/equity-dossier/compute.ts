import { addDays, type Computed, daysBetween, getOwn, NodeError } from "intel-node";
import { estimateNextReport } from "../companies/earnings.ts";
import { CONCEPT_IDS } from "../facts/concepts.ts";
import { createFactBase, type FactBase } from "../facts/fact-base.ts";
import { getBalance, getTrailingYear, listQuarters, listYears } from "../facts/periods.ts";
import { describeSplit } from "../facts/splits.ts";
import type { Registrant } from "../providers/sec/submissions.ts";
import type { EquityDossierInputs } from "./fetch.ts";
import { combine, describeBalance, describeItems, divide, listPeriods, readTrailing } from "./figures.ts";
import { describeHoldings } from "./holdings.ts";
import { describeInsiders } from "./insiders.ts";
import { type Balance, describeRatios } from "./ratios.ts";
import type { EquityDossierData } from "./schema.ts";
import { scoreAltman, scorePiotroski } from "./scores.ts";

const [YEARS, QUARTERS, RESTATEMENTS, FLAG_DAYS, STALE_DAYS] = [5, 8, 20, 730, 135];
const FLAGS: Readonly<Record<string, string>> = {
  "4.02": "past statements not to be relied on",
  "4.01": "change of auditor",
  "3.01": "notice of delisting",
  "1.03": "bankruptcy or receivership",
  "1.05": "material cybersecurity incident",
};

function describeValuation(
  base: FactBase,
  now: Balance,
  price: EquityDossierInputs["price"],
): EquityDossierData["valuation"] {
  if (!price || base.currency !== "USD") return null;
  const ttm = describeItems(readTrailing(base));
  const market_cap = now.shares_out === null ? null : price.price * now.shares_out;
  const ev = combine(market_cap, now.net_debt, (a, b) => a + b);
  return {
    ...price,
    market_cap,
    ev,
    pe: divide(price.price, ttm.eps_diluted),
    ps: divide(market_cap, ttm.revenue),
    pb: divide(market_cap, now.equity),
    ev_ebitda: divide(ev, ttm.ebitda),
    fcf_yield: divide(ttm.fcf, market_cap),
  };
}

function listRestatements(base: FactBase, since: string): EquityDossierData["restatements"] {
  const changed = CONCEPT_IDS.flatMap((concept) =>
    base.of(concept).flatMap((fact) => {
      if (!fact.restated || fact.end < since) return [];
      const period = fact.start === null ? fact.end : `${fact.start} to ${fact.end}`;
      return [
        { concept, period, old: fact.restated.previous, new: fact.value, accession: fact.accession, end: fact.end },
      ];
    }),
  );
  const newest = changed.toSorted((a, b) => (a.end < b.end ? 1 : -1)).slice(0, RESTATEMENTS);
  return newest.map(({ end: _, ...rest }) => rest);
}

function listRedFlags({ filings }: Registrant, today: string): EquityDossierData["red_flags"] {
  return filings
    .filter(({ filed }) => daysBetween(filed, today) <= FLAG_DAYS)
    .flatMap(({ form, items, filed, url }) => {
      const kinds = items.flatMap((item) => getOwn(FLAGS, item) ?? []);
      if (/^NT 10-[KQ]/.test(form)) kinds.push("late filing");
      return kinds.map((kind) => ({ kind, date: filed, url }));
    });
}

type Held = readonly [value: number | null, is: ">" | "<", threshold: number];

/** Facts compared with thresholds; no advice. */
function judge(data: Pick<EquityDossierData, "ratios" | "piotroski">, age_days: number) {
  const { ratios, piotroski } = data;
  const strengths: EquityDossierData["strengths"] = [];
  const concerns: EquityDossierData["concerns"] = [];
  const add = (list: typeof strengths, rule: string, [value, is, threshold]: Held): void => {
    if (value !== null && (is === ">" ? value > threshold : value < threshold)) list.push({ rule, value, threshold });
  };
  const f_score = piotroski && piotroski.evaluated >= 8 ? piotroski.score : null;
  add(strengths, "piotroski score of 7 or more", [f_score, ">", 6]);
  add(strengths, "free cash flow margin above 15 %", [ratios.fcf_margin, ">", 0.15]);
  add(strengths, "return on equity above 15 %", [ratios.roe, ">", 0.15]);
  add(concerns, "current ratio below 1", [ratios.current_ratio, "<", 1]);
  add(concerns, "net debt above 4 times EBITDA", [ratios.net_debt_to_ebitda, ">", 4]);
  add(concerns, "dilution above 5 % in a year", [ratios.dilution, ">", 0.05]);
  add(concerns, "accruals above 10 % of assets", [ratios.accruals, ">", 0.1]);
  add(concerns, "newest balance sheet older than 135 days", [age_days, ">", STALE_DAYS]);
  return { strengths, concerns };
}

function describeProvenance(base: FactBase): NonNullable<EquityDossierData["provenance"]> {
  return Object.fromEntries(
    CONCEPT_IDS.flatMap((id) => {
      const figure = getTrailingYear(base, id) ?? getBalance(base, id);
      if (!figure) return [];
      const rows = figure.facts.map(({ tag, unit, start, end, accession, filed }) => ({
        tag,
        unit,
        start,
        end,
        accession,
        filed,
      }));
      return [[id, rows]];
    }),
  );
}

const describeCompany = ({ listing, registrant }: EquityDossierInputs["company"]) => ({
  name: registrant.name,
  symbol: listing.ticker,
  cik: registrant.cik,
  exchange: registrant.exchange ?? listing.exchange,
  sic: registrant.sic,
  sic_description: registrant.sic_description,
  fiscal_year_end: registrant.fiscal_year_end,
  filer_category: registrant.category,
});

/** @throws NodeError subject_not_found for registrants without a balance sheet in XBRL. */
export function computeEquityDossier(
  inputs: EquityDossierInputs,
  { now_ms, detail = "full" }: { readonly now_ms: number; readonly detail?: "summary" | "full" },
): Computed<EquityDossierData> {
  const { listing, registrant, facts } = inputs.company;
  const { known_at } = inputs;
  const base = createFactBase(facts, known_at);
  if (base.newest_end === "") {
    const message = `${listing.ticker} filed no financial statements in XBRL by ${known_at}. Nothing was charged.`;
    throw new NodeError("subject_not_found", message);
  }
  const is_financial = /^6[0-7]/.test(registrant.sic);
  const now = describeBalance(base, base.newest_end);
  const ratios = describeRatios(base, now, is_financial);
  const ttm = describeItems(readTrailing(base));
  const valuation = describeValuation(base, now, inputs.price);
  const piotroski = scorePiotroski(base);
  const altman = is_financial
    ? null
    : scoreAltman({
        assets: now.assets,
        liabilities: now.liabilities,
        retained: now.retained,
        ebit: ttm.operating_income,
        working_capital: combine(now.assets_current, now.liabilities_current, (a, b) => a - b),
        market_cap: valuation?.market_cap ?? null,
        revenue: ttm.revenue,
      });
  const holdings = describeHoldings(inputs.holdings);
  const untold = [
    ...(typeof holdings === "string" ? [`holdings_13f: ${holdings}`] : []),
    ...base.splits.map((split) => `quarters, annual: ${describeSplit(split)}`),
  ];
  const report = registrant.filings.find(({ form }) => /^(10-[KQ]|20-F|40-F)/.test(form));
  const { assets_current: _, liabilities_current: __, receivables: ___, retained: ____, ...balance } = now;
  const data: EquityDossierData = {
    company: { ...describeCompany(inputs.company), reporting_currency: base.currency, is_financial },
    known_at,
    as_of_period: base.newest_end,
    last_filing: report
      ? { form: report.form, filed: report.filed, accession: report.accession, url: report.url }
      : null,
    ttm,
    annual: listPeriods(base, listYears, YEARS),
    quarters: listPeriods(base, listQuarters, QUARTERS),
    balance,
    ratios,
    piotroski,
    altman,
    valuation,
    restatements: listRestatements(base, addDays(known_at, -3 * 365)),
    red_flags: listRedFlags(registrant, known_at),
    insiders: describeInsiders(inputs.insiders),
    next_report: estimateNextReport(registrant.filings, known_at),
    holdings_13f: typeof holdings === "string" ? null : holdings,
    ...judge({ ratios, piotroski }, daysBetween(base.newest_end, known_at)),
    provenance: detail === "full" ? describeProvenance(base) : null,
  };
  const [as_of = ""] = facts.map(({ filed }) => filed).sort((a, b) => (a < b ? 1 : -1));
  return {
    as_of_ms: Math.min(now_ms, Date.parse(as_of)),
    warnings: [...inputs.warnings, ...untold, ...listMissing(data)],
    data,
  };
}

/** Every null is said. */
function listMissing(data: EquityDossierData): string[] {
  const why = data.company.is_financial ? "financial_company, or not reported" : "not reported, or not above 0";
  const blocks = { ttm: data.ttm, balance: data.balance, ratios: data.ratios, valuation: data.valuation ?? {} };
  const told = ["as_of: no file of the SEC states a time of its own; it is that of the newest filing"];
  const missing = Object.entries(blocks).flatMap(([block, members]) =>
    Object.entries(members).flatMap(([name, value]) => (value === null ? [`${block}.${name}: ${why}`] : [])),
  );
  const flags = Object.entries(data.piotroski?.flags ?? {}).filter(([, flag]) => flag === null);
  missing.push(...flags.map(([name]) => `piotroski.flags.${name}: an input is missing`));
  if (!data.piotroski) missing.push("piotroski: fewer than two fiscal years");
  if (!data.altman)
    missing.push(`altman: ${data.company.is_financial ? "financial_company" : "no price, or an input is missing"}`);
  if (!data.valuation) missing.push("valuation: no permitted price, or figures in another currency");
  if (!data.provenance) missing.push("provenance: it comes with detail=full");
  if (!data.next_report) missing.push("next_report: no results of a year ago were found");
  if (!data.last_filing) missing.push("last_filing: the list has no annual or quarterly report");
  const { exchange, fiscal_year_end, filer_category } = data.company;
  if (exchange === null) missing.push("exchange: not stated");
  if (fiscal_year_end === null) missing.push("fiscal_year_end: not stated");
  if (filer_category === null) missing.push("filer_category: not stated");
  return [...told, ...missing];
}
