import { addDays } from "intel-node";
import type { OwnershipReport } from "../providers/sec/ownership.ts";
import type { Filing } from "../providers/sec/submissions.ts";
import type { EquityDossierData } from "./schema.ts";

/** A form of an insider with the filing it was. */
export interface InsiderForm {
  readonly filing: Filing;
  readonly report: OwnershipReport;
}
/** What is read of each company: calls at 8 a second, before the answer. */
const [FORMS_READ, DAYS_BACK] = [6, 180];
const TRADES_MAX = 8;

/** The newest forms 3, 4 and 5 of half a year up to a day. */
export function listInsiderForms(filings: readonly Filing[], known_at: string): readonly Filing[] {
  const since = addDays(known_at, -DAYS_BACK);
  const forms = filings.filter(({ form, filed }) => /^[345](\/A)?$/.test(form) && filed >= since && filed <= known_at);
  return forms.toSorted((a, b) => b.accepted_ms - a.accepted_ms).slice(0, FORMS_READ);
}

/**
 * Shares bought and sold on the market by those forms, and the newest lines; gifts, grants and tax are not an opinion.
 */
export function describeInsiders(forms: readonly InsiderForm[] | null): EquityDossierData["insiders"] {
  if (!forms) return null;
  const trades = forms.flatMap(({ filing, report }) =>
    report.trades.map((trade) => ({
      owner: report.owner,
      roles: [...report.roles],
      ...trade,
      form: report.form,
      filed: filing.filed,
      accession: filing.accession,
    })),
  );
  const sum = (wanted: string): number =>
    trades.reduce((total, { code, shares }) => (code === wanted ? total + shares : total), 0);
  return {
    forms_read: forms.length,
    bought_shares: sum("P"),
    sold_shares: sum("S"),
    trades: trades.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0)).slice(0, TRADES_MAX),
  };
}
