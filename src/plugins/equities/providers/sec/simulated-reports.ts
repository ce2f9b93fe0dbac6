import { addDays, type SimulatedWorld, toDate } from "intel-node";
import type { SimulatedRegistrant } from "./simulated-registrants.ts";
import { padCik } from "./submissions.ts";

const YEARS = 7;
/** Reports come out 30 days after a quarter, an hour after New York closed. */
const REPORT_DAYS = 30;
const INSIDER_DAYS = 5;
/** Forms 13F are due 45 days after a quarter. */
const HOLDINGS_DAYS = 14;

export interface SimulatedQuarter {
  readonly year: number;
  /** 1 to 4; the fiscal year is that of the calendar. */
  readonly number: number;
  readonly start: string;
  readonly end: string;
  readonly filed: string;
  readonly accession: string;
  readonly form: "10-K" | "10-Q";
}

/** Quarters reported by now, oldest first. */
export function listSimulatedQuarters(
  world: SimulatedWorld,
  { cik }: SimulatedRegistrant,
): readonly SimulatedQuarter[] {
  const this_year = new Date(world.now()).getUTCFullYear();
  const quarters: SimulatedQuarter[] = [];
  for (let year = this_year - YEARS; year <= this_year; year += 1) {
    for (let number = 1; number <= 4; number += 1) {
      const end = toDate(year, number * 3 + 1, 0);
      const filed = addDays(end, REPORT_DAYS);
      if (Date.parse(filed) + 21 * 3_600_000 > world.now()) return quarters;
      const accession = `${padCik(cik)}-${filed.slice(2, 4)}-${String(year * 10 + number).padStart(6, "0")}`;
      const form = number === 4 ? "10-K" : "10-Q";
      quarters.push({ year, number, start: toDate(year, number * 3 - 2, 1), end, filed, accession, form });
    }
  }
  return quarters;
}

/** Millions a quarter, roughly: revenue first, the others as shares of it. */
const FLOWS: Readonly<Record<string, number>> = {
  RevenueFromContractWithCustomerExcludingAssessedTax: 1,
  CostOfRevenue: 0.55,
  GrossProfit: 0.45,
  OperatingIncomeLoss: 0.28,
  IncomeTaxExpenseBenefit: 0.05,
  NetIncomeLoss: 0.23,
  InterestExpense: 0.01,
  DepreciationDepletionAndAmortization: 0.03,
  NetCashProvidedByUsedInOperatingActivities: 0.3,
  PaymentsToAcquirePropertyPlantAndEquipment: 0.04,
  ShareBasedCompensation: 0.03,
  ResearchAndDevelopmentExpense: 0.08,
  IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest: 0.28,
};
const INSTANTS: Readonly<Record<string, number>> = {
  Assets: 4,
  AssetsCurrent: 1.6,
  Liabilities: 2.6,
  LiabilitiesCurrent: 1.4,
  StockholdersEquity: 1.4,
  CashAndCashEquivalentsAtCarryingValue: 0.4,
  MarketableSecuritiesCurrent: 0.3,
  LongTermDebtNoncurrent: 0.9,
  DebtCurrent: 0.1,
  RetainedEarningsAccumulatedDeficit: 0.6,
  AccountsReceivableNetCurrent: 0.3,
};
const SHARES = 1_000_000_000;
const BANK_LACKS = ["GrossProfit", "CostOfRevenue", "OperatingIncomeLoss", "AssetsCurrent", "LiabilitiesCurrent"];

type Numbered = Pick<SimulatedQuarter, "year" | "number">;
const revenueOf = (world: SimulatedWorld, { ticker }: SimulatedRegistrant, { year, number }: Numbered): number => {
  const season = 1 + 0.12 * Math.sin((number / 4) * 2 * Math.PI);
  const growth = 1.06 ** (year - 2_020 + number / 4);
  return (
    20e9 *
    (0.5 + world.noise(`size ${ticker}`)) *
    season *
    growth *
    (0.97 + 0.06 * world.noise(`rev ${ticker} ${year} ${number}`))
  );
};

const toEps = (revenue: number): number => Number(((revenue * 0.23) / SHARES).toFixed(2));
/** Diluted earnings per share of a quarter, reported or still to come. */
export const simulateEps = (world: SimulatedWorld, registrant: SimulatedRegistrant, quarter: Numbered): number =>
  toEps(revenueOf(world, registrant, quarter));

type Raw = Readonly<Record<string, string | number>>;

/** A companyfacts file: quarters, running sums of the year, years, balances. */
export function renderCompanyFacts(world: SimulatedWorld, registrant: SimulatedRegistrant) {
  const quarters = listSimulatedQuarters(world, registrant);
  const tags: Record<string, { label: string; units: Record<string, Raw[]> }> = {};
  const add = (tag: string, unit: string, fact: Raw): void => {
    tags[tag] ??= { label: `${tag}, "quoted" {and} braced`, units: {} };
    const units = tags[tag].units;
    units[unit] ??= [];
    units[unit].push(fact);
  };
  const lacks = registrant.sic.startsWith("60") ? BANK_LACKS : [];
  for (const quarter of quarters) {
    const { year, number, start, end, filed, accession: accn, form } = quarter;
    const about = { end, accn, fy: year, fp: number === 4 ? "FY" : `Q${number}`, form, filed };
    const of_year = quarters.filter((one) => one.year === year && one.number <= number);
    const [now, sum] = [
      revenueOf(world, registrant, quarter),
      of_year.reduce((total, one) => total + revenueOf(world, registrant, one), 0),
    ];
    const first = of_year[0]?.start ?? start;
    for (const [tag, part] of Object.entries(FLOWS)) {
      if (lacks.includes(tag)) continue;
      const is_cash = tag.startsWith("Net") && tag.includes("Cash");
      if (number < 4 && !is_cash) add(tag, "USD", { start, val: Math.round(now * part), ...about });
      if (number > 1 || is_cash) add(tag, "USD", { start: first, val: Math.round(sum * part), ...about });
    }
    for (const [tag, part] of Object.entries(INSTANTS)) {
      if (!lacks.includes(tag)) add(tag, "USD", { val: Math.round(now * part), ...about });
    }
    if (number < 4) add("EarningsPerShareDiluted", "USD/shares", { start, val: toEps(now), ...about });
    if (number > 1) add("EarningsPerShareDiluted", "USD/shares", { start: first, val: toEps(sum), ...about });
    const shares = Math.round(SHARES * (1 + 0.002 * (year - 2_020)));
    add("WeightedAverageNumberOfDilutedSharesOutstanding", "shares", {
      start: number < 4 ? start : first,
      val: shares,
      ...about,
    });
    add("EntityCommonStockSharesOutstanding", "shares", { val: shares, ...about, end: filed });
  }
  const { EntityCommonStockSharesOutstanding: shares, ...gaap } = tags;
  const dei = shares ? { EntityCommonStockSharesOutstanding: shares } : {};
  return { cik: registrant.cik, entityName: registrant.name, facts: { dei, "us-gaap": gaap } };
}

/** The accession of another filing about the same quarter: its first digit shows its kind. */
const renumber = (accession: string, kind: FiledKind): string => accession.replace(/\d(?=\d{5}$)/, FILED_KINDS[kind]);
export const FILED_KINDS = { results: "5", insider: "7", holdings: "8", amendment: "9" } as const;
export type FiledKind = keyof typeof FILED_KINDS;

interface Row {
  readonly accession: string;
  readonly form: string;
  readonly items: string;
  readonly filed: string;
  readonly accepted: string;
  readonly period: string;
  readonly document: string;
}
const DOCUMENT = "report.htm";

/** Results by 8-K, the report, a form 4 some days later; of banks a form 13F, and lines added to it a week later. */
function listRows({ filed, accession, form, end }: SimulatedQuarter, is_manager: boolean): readonly Row[] {
  const time = (day: string, clock: string): string => `${day}T${clock}.000Z`;
  const file = (kind: FiledKind, days: number, rest: Pick<Row, "form" | "document">): Row => {
    const day = addDays(filed, days);
    const about = { accession: renumber(accession, kind), items: "", filed: day, period: end };
    return { ...about, ...rest, accepted: time(day, "21:05:00") };
  };
  const results = { accession: renumber(accession, "results"), form: "8-K", items: "2.02,9.01", period: filed };
  const thirteen = "xslForm13F_X02/primary_doc.xml";
  return [
    { ...results, filed, accepted: time(filed, "20:30:41"), document: DOCUMENT },
    { accession, form, items: "", filed, period: end, accepted: time(filed, "20:30:55"), document: DOCUMENT },
    file("insider", INSIDER_DAYS, { form: "4", document: "xslF345X05/form4.xml" }),
    ...(is_manager
      ? [
          file("holdings", HOLDINGS_DAYS, { form: "13F-HR", document: thirteen }),
          file("amendment", HOLDINGS_DAYS + 7, { form: "13F-HR/A", document: thirteen }),
        ]
      : []),
  ];
}

/** A submissions file, newest first. */
export function renderSubmissions(world: SimulatedWorld, registrant: SimulatedRegistrant) {
  const { cik, name, ticker, exchange, sic } = registrant;
  const rows = listSimulatedQuarters(world, registrant).flatMap((quarter) => listRows(quarter, sic === "6021"));
  const recent = rows.filter(({ accepted }) => Date.parse(accepted) <= world.now()).toReversed();
  const column = <K extends keyof Row>(key: K) => recent.map((row) => row[key]);
  return {
    cik: padCik(cik),
    name,
    sic,
    sicDescription: "Electronic Computers",
    tickers: [ticker],
    exchanges: [exchange],
    fiscalYearEnd: "1231",
    category: "Large accelerated filer",
    filings: {
      recent: {
        accessionNumber: column("accession"),
        filingDate: column("filed"),
        form: column("form"),
        acceptanceDateTime: column("accepted"),
        items: column("items"),
        reportDate: column("period"),
        primaryDocument: column("document"),
      },
      files: [],
    },
  };
}
