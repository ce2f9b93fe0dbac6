import { renderCSVRow } from "../core/csv.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { renderUSD } from "../core/money.ts";
import type { NamedPeriod } from "../core/named-period.ts";
import type { LedgerPlace } from "../files/ledger-place.ts";
import type { EarnedLine } from "../ledger/money.ts";
import { reportAt } from "./ask-ledger.ts";
import { print } from "./print.ts";
import type { SumsForm } from "./sales-sums.ts";

/** Earned money has no payer, because a balance may come from many payments. */
export const EARNED_BY = ["product", "network", "access"] as const;
export type EarnedBy = (typeof EARNED_BY)[number];

interface EarnedAsked {
  readonly by: EarnedBy | null;
  readonly period: NamedPeriod;
}

/** Prints the earnings of a period, line by line or in sums, which add up to `earned` of the report. */
export async function earnedCommand(place: LedgerPlace, { by, period }: EarnedAsked, form: SumsForm): Promise<void> {
  const { earned, money } = await reportAt(place, period);
  if (by === null) printLines(earned, money.earned, form);
  else printGroups(by, group(by, earned), { ...form, total: money.earned });
}

const COLUMNS = ["access", "product", "network", "count", "amount_usd", "amount_atomic", "method"] as const;

function toColumns({ access, product, network, count, amount }: EarnedLine): Record<(typeof COLUMNS)[number], string> {
  const named = { access, product: product ?? "", network: network ?? "", count: String(count) };
  return { ...named, amount_usd: renderUSD(amount), amount_atomic: amount.toString(), method: "earned" };
}

const renderAmount = (amount: bigint) => ({ amount_atomic: amount.toString(), amount_usd: renderUSD(amount) });

function printLines(earned: readonly EarnedLine[], total: bigint, { json, csv }: SumsForm): void {
  const rows = earned.map(toColumns);
  if (json) print(JSON.stringify({ method: "earned", lines: rows, total: renderAmount(total) }));
  else if (csv) {
    print(renderCSVRow(COLUMNS));
    for (const row of rows) print(renderCSVRow(COLUMNS.map((name) => row[name])));
  } else {
    for (const { access, product, network, count, amount_usd } of rows) {
      const what = `${access.padEnd(14)}${product.padEnd(28)}${network.padEnd(44)}`;
      print(escapeInvisible(`${what}${count.padStart(9)}${amount_usd.padStart(18)}`));
    }
    print(`${renderUSD(total)} USD earned`);
  }
}

/** A line without such a name is grouped by how it was earned. */
function group(by: EarnedBy, earned: readonly EarnedLine[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const line of earned) {
    const name = line[by] ?? `(${line.access})`;
    sums.set(name, (sums.get(name) ?? 0n) + line.amount);
  }
  return new Map([...sums].sort(([, a], [, b]) => Number(b - a)));
}

interface GroupsForm extends SumsForm {
  readonly total: bigint;
}

function printGroups(by: EarnedBy, sums: ReadonlyMap<string, bigint>, { json, csv, total }: GroupsForm): void {
  if (json) {
    const rows = [...sums].map(([name, amount]) => ({ name, ...renderAmount(amount) }));
    print(JSON.stringify({ method: "earned", by, sums: rows, total: renderAmount(total) }));
  } else if (csv) {
    print(renderCSVRow([by, "amount_usd", "amount_atomic", "method"]));
    for (const [name, amount] of sums) print(renderCSVRow([name, renderUSD(amount), amount.toString(), "earned"]));
  } else {
    for (const [name, amount] of sums) print(`${escapeInvisible(name).padEnd(48)}${renderUSD(amount).padStart(18)}`);
    print(`${renderUSD(total)} USD earned`);
  }
}
