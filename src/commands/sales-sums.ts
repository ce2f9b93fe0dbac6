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
    const has_calls = total.called !== null;
    const more = has_calls ? ["calls_by_key", "called_usd", "called_atomic"] : [];
    print(
      renderCSVRow([
        by,
        "payments",
        ...FIGURES.flatMap((name) => [`${name}_usd`, `${name}_atomic`]),
        "method",
        ...more,
      ]),
    );
    for (const sum of sums) {
      const amounts = FIGURES.flatMap((name) => [renderUSD(sum[name].amount), sum[name].amount.toString()]);
      const { count, amount } = sum.called ?? { count: 0, amount: 0n };
      const called = has_calls ? [String(count), renderUSD(amount), amount.toString()] : [];
      print(renderCSVRow([sum.name, String(sum.settled.count), ...amounts, "received", ...called]));
    }
  } else printTable(by, [...sums, total]);
}

const MONEY_WIDTH = 16;

function printTable(by: string, sums: readonly PaymentSums[]): void {
  const names = sums.map(({ name }) => escapeInvisible(name));
  const width = Math.max(by.length, ...names.map((name) => name.length));
  const right = (texts: readonly string[]) => texts.map((text) => text.padStart(MONEY_WIDTH)).join("");
  const has_calls = sums.some(({ called }) => called !== null);
  const more = has_calls ? ["calls by key", "called for"] : [];
  print(`${by.padEnd(width)}${right(["payments", "settled", "never landed", "received", "given back", ...more])}`);
  sums.forEach((sum, n) => {
    const amounts = FIGURES.map((name) => renderUSD(sum[name].amount));
    const { count, amount } = sum.called ?? { count: 0, amount: 0n };
    const called = has_calls ? [String(count), renderUSD(amount)] : [];
    print(`${(names[n] ?? "").padEnd(width)}${right([String(sum.settled.count), ...amounts, ...called])}`);
  });
  if (has_calls) print("Calls by key were paid for when their credit was: they are in no other column.");
}
