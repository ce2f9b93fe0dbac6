import { renderSums } from "../admin/render-money.ts";
import { renderCSVRow } from "../core/csv.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { renderUSD } from "../core/money.ts";
import { addSums, type PaymentSums } from "../ledger/money.ts";
import { print } from "./print.ts";

export interface SumsForm {
  readonly json: boolean;
  readonly csv: boolean;
}

const FIGURES = ["settled", "never_landed", "received", "given_back"] as const;

/** Prints sums of payments: as a table for people, as CSV, or as JSON. */
export function printSums(by: string, sums: readonly PaymentSums[], { json, csv }: SumsForm): void {
  const total = addSums(sums);
  if (json) print(JSON.stringify({ method: "received", by, ...renderSums(sums) }));
  else if (csv) {
    print(renderCSVRow([by, "payments", ...FIGURES.flatMap((name) => [`${name}_usd`, `${name}_atomic`]), "method"]));
    for (const sum of sums) {
      const amounts = FIGURES.flatMap((name) => [renderUSD(sum[name].amount), sum[name].amount.toString()]);
      print(renderCSVRow([sum.name, String(sum.settled.count), ...amounts, "received"]));
    }
  } else printTable(by, [...sums, total]);
}

const MONEY_WIDTH = 16;

function printTable(by: string, sums: readonly PaymentSums[]): void {
  const names = sums.map(({ name }) => escapeInvisible(name));
  const width = Math.max(by.length, ...names.map((name) => name.length));
  const right = (texts: readonly string[]) => texts.map((text) => text.padStart(MONEY_WIDTH)).join("");
  print(`${by.padEnd(width)}${right(["payments", "settled", "never landed", "received", "given back"])}`);
  sums.forEach((sum, n) => {
    const amounts = FIGURES.map((name) => renderUSD(sum[name].amount));
    print(`${(names[n] ?? "").padEnd(width)}${right([String(sum.settled.count), ...amounts])}`);
  });
}
