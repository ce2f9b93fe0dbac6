import { addDays } from "intel-node";
import { median } from "intel-node/quant/stats";
import type { FiledHolding, HoldingsReport } from "../providers/sec/holdings.ts";
import type { Filing } from "../providers/sec/submissions.ts";
import type { EquityDossierData } from "./schema.ts";

/** A form 13F-HR with the filing it was. */
export interface HoldingsForm {
  readonly filing: Filing;
  readonly report: HoldingsReport;
}
const [DAYS_BACK, FORMS_MAX, LARGEST] = [200, 4, 8];
/** From this day on values are dollars, before it thousands (SEC release 34-95148, form 13F as amended). */
const DOLLARS_SINCE = "2023-01-03";
/** A share of the median position costs between these dollars; outside them the filer used the other unit. */
const PRICE_PLAUSIBLE = { min: 1, max: 50_000 };

/** The forms 13F-HR of the newest quarter up to a day, in the order they were accepted; none from whom files none. */
export function listHoldingsForms(filings: readonly Filing[], known_at: string): readonly Filing[] {
  const since = addDays(known_at, -DAYS_BACK);
  const forms = filings.filter(({ form, filed }) => /^13F-HR(\/A)?$/.test(form) && filed >= since && filed <= known_at);
  const newest = forms
    .map(({ period_end }) => period_end)
    .toSorted()
    .at(-1);
  return forms
    .filter(({ period_end }) => period_end === newest)
    .toSorted((a, b) => a.accepted_ms - b.accepted_ms)
    .slice(0, FORMS_MAX);
}

/** The lines in dollars, or why their unit is not certain. */
function toDollars({ filing, report }: HoldingsForm): readonly FiledHolding[] | string {
  const unit = filing.filed >= DOLLARS_SINCE ? 1 : 1_000;
  const lines = report.lines.map((line) => ({ ...line, value: line.value * unit }));
  const shares = lines.filter(({ amount, amount_type, put_call, value }) => {
    return amount > 0 && value > 0 && amount_type === "SH" && put_call === null;
  });
  const price = median(shares.map(({ value, amount }) => value / amount));
  const is_plausible = price === null || (price >= PRICE_PLAUSIBLE.min && price <= PRICE_PLAUSIBLE.max);
  return is_plausible ? lines : `${filing.accession} seems to state values in another unit than its day asks for`;
}

/** The lines that count after every amendment: one restates all before it, another adds to it. */
function foldForms(forms: readonly HoldingsForm[]): readonly FiledHolding[] | string {
  let held: readonly FiledHolding[] | null = null;
  for (const form of forms) {
    if (form.report.period_end !== form.filing.period_end) return `${form.filing.accession} is of another quarter`;
    const lines = toDollars(form);
    if (typeof lines === "string") return lines;
    if (form.report.kind !== "added") held = lines;
    else if (held === null) return `${form.filing.accession} adds to a report that was not found`;
    else held = [...held, ...lines];
  }
  return held ?? [];
}

/** Lines of one security, of several funds or managers of the filer, as one position; largest first. */
function addUp(lines: readonly FiledHolding[]): readonly FiledHolding[] {
  const positions = new Map<string, FiledHolding>();
  for (const line of lines) {
    const key = `${line.cusip} ${line.amount_type} ${line.put_call}`;
    const known = positions.get(key);
    const sum = known && { ...known, value: known.value + line.value, amount: known.amount + line.amount };
    positions.set(key, sum ?? line);
  }
  return [...positions.values()].toSorted((a, b) => b.value - a.value);
}

/** A company's holdings at the end of the newest reported quarter, or why they are unknown. */
export function describeHoldings(forms: readonly HoldingsForm[] | null): EquityDossierData["holdings_13f"] | string {
  if (forms === null) return null;
  const [first] = forms;
  if (!first) return "no form 13F-HR among its newest filings: it reports no holdings, or another manager does";
  const lines = foldForms(forms);
  if (typeof lines === "string") return lines;
  const positions = addUp(lines);
  const sum = (of: readonly FiledHolding[]): number => of.reduce((total, { value }) => total + value, 0);
  const isOption = ({ put_call }: FiledHolding): boolean => put_call !== null;
  return {
    period_end: first.report.period_end,
    forms: forms.map(({ filing: { form, filed, accession }, report: { kind } }) => ({ form, kind, filed, accession })),
    positions: positions.length,
    value_usd: sum(positions.filter((one) => !isOption(one))),
    options_usd: sum(positions.filter(isOption)),
    confidential_omitted: forms.some(({ report }) => report.confidential_omitted),
    largest: positions.slice(0, LARGEST).map(({ issuer, class: title, amount, amount_type, put_call, value }) => ({
      issuer,
      class: title,
      amount,
      put_call,
      value_usd: value,
      amount_of: amount_type === "SH" ? ("shares" as const) : ("principal" as const),
    })),
  };
}
