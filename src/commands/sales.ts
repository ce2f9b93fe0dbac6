import { renderTime, systemClock } from "../core/clock.ts";
import { renderCSVRow } from "../core/csv.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { renderUSD } from "../core/money.ts";
import { type NamedPeriod, PERIOD_FAULT, readPeriod } from "../core/named-period.ts";
import type { CorrectionRow, RefundRow, SaleRow } from "../ledger/list-sales.ts";
import { type MoneySum, SUMS_BY, type SumsBy } from "../ledger/money.ts";
import { correctionsAt, refundsAt, sumsAt, withSales } from "./ask-ledger.ts";
import { type Conversion, convert, isCurrency, openConversion } from "./convert-sales.ts";
import { findLedger } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import type { ReportOptions } from "./ledger-report.ts";
import { print, printError } from "./print.ts";
import { EARNED_BY, type EarnedBy, earnedCommand } from "./sales-earned.ts";
import { printSums } from "./sales-sums.ts";

export interface SalesOptions extends ReportOptions {
  readonly by?: string | undefined;
  /** Accounting method: `received` counts payments when they arrive, `earned` counts deliveries when they happen. */
  readonly method: string;
  /** A second currency besides USD, such as "BRL". */
  readonly currency?: string | undefined;
}

type FoundLedger = Exclude<Awaited<ReturnType<typeof findLedger>>, { readonly faults: string }>;

/** The parsed request, or the fault in it. */
type SalesQuery =
  | { readonly fault: string }
  | { readonly method: "received"; readonly by: SumsBy | null; readonly period: NamedPeriod }
  | { readonly method: "earned"; readonly by: EarnedBy | null; readonly period: NamedPeriod };

/** The fault of the requested second currency; null if it has none. */
function findCurrencyFault({ currency, by, method, csv, json }: SalesOptions): string | null {
  if (currency === undefined) return null;
  if (!isCurrency(currency)) return `--currency ${currency}: a currency such as BRL or EUR, or BRL:sell`;
  if (by !== undefined || method === "earned") {
    return "--currency goes by the day of each payment: not with --by, nor with --method earned";
  }
  return csv || json ? null : "--currency goes with --csv or --json";
}

function readWanted({ by, method, ...options }: SalesOptions): SalesQuery {
  const period = readPeriod(options, systemClock.now());
  if (period === null) return { fault: PERIOD_FAULT };
  const currency_fault = findCurrencyFault({ by, method, ...options });
  if (currency_fault !== null) return { fault: currency_fault };
  if (method === "received") {
    if (by === undefined) return { method, by: null, period };
    if (Object.hasOwn(SUMS_BY, by)) return { method, by: by as SumsBy, period };
    return { fault: `--by is one of ${Object.keys(SUMS_BY).join(", ")}` };
  }
  if (method !== "earned") return { fault: "--method is received or earned" };
  const known = by === undefined ? null : EARNED_BY.find((name) => name === by);
  if (known === undefined) return { fault: `what is earned has no ${by}: --by ${EARNED_BY.join(", ")}` };
  return { method, by: known, period };
}

/**
 * Prints the sales of a period, or their sums; works while the node runs. The method `received` lists settled payments;
 * the method `earned` lists what keys, passes and vouchers of payment channels paid for.
 */
export async function salesCommand(options: SalesOptions): Promise<number> {
  const wanted = readWanted(options);
  if ("fault" in wanted) {
    printError(wanted.fault);
    return EXIT.config;
  }
  const found = await findLedger(options);
  if ("faults" in found) {
    printError(found.faults);
    return EXIT.config;
  }
  const { currency } = options;
  try {
    const { period, by } = wanted;
    if (wanted.method === "earned") await earnedCommand(found, wanted, options);
    else if (wanted.by !== null) {
      const sums = await sumsAt(found, { ...period, by: wanted.by });
      printSums(by ?? "", sums, options);
    } else {
      const conversion = currency === undefined ? null : openConversion(currency, found.directory, period);
      await printSales({ found, period, conversion }, options);
    }
    return EXIT.ok;
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}

const COLUMNS = [
  ...(["settled_at", "product", "amount_usd", "payer", "network", "transaction", "receipt_id"] as const),
  ...(["label", "on_chain", "amount_atomic", "received_usd", "received_atomic"] as const),
  ...(["given_back_usd", "given_back_atomic", "method", "authorized_atomic"] as const),
] as const;
type Column = (typeof COLUMNS)[number];

/** The received amount: 0 if the chain does not have the payment. */
const receivedOf = ({ amount, on_chain }: SaleRow): bigint => (on_chain === "missing" ? 0n : amount);

function toColumns(sale: SaleRow): Record<Column, string> {
  const { settled_at_ms, amount, authorized, on_chain, ...row } = sale;
  const received = receivedOf(sale);
  return {
    ...row,
    settled_at: renderTime(settled_at_ms),
    amount_usd: renderUSD(amount),
    amount_atomic: amount.toString(),
    on_chain: on_chain ?? "unchecked",
    received_usd: renderUSD(received),
    received_atomic: received.toString(),
    given_back_usd: "0.00",
    given_back_atomic: "0",
    method: "received",
    authorized_atomic: authorized?.toString() ?? "",
  };
}

/** A refund is a separate row on its own day, with the other money columns empty, so that each column adds up. */
function toRefundColumns({ at_ms, reference, amount, ...row }: RefundRow): Record<Column, string> {
  return {
    ...row,
    settled_at: renderTime(at_ms),
    transaction: reference,
    on_chain: "given_back",
    amount_usd: "0.00",
    amount_atomic: "0",
    received_usd: "0.00",
    received_atomic: "0",
    given_back_usd: renderUSD(amount),
    given_back_atomic: amount.toString(),
    method: "received",
    authorized_atomic: "",
  };
}

/** A correction is a separate row on its own day, with the amount that is subtracted from what was received. */
function toCorrectionColumns({ amount, ...row }: CorrectionRow): Record<Column, string> {
  return {
    ...toRefundColumns({ ...row, amount: 0n }),
    on_chain: "corrected",
    received_usd: renderUSD(-amount),
    received_atomic: (-amount).toString(),
  };
}

const CONVERTED = ["currency", "rate", "rate_date", "rate_source"] as const;
const CONVERTED_SUMS = {
  amount: "amount_atomic",
  received: "received_atomic",
  given_back: "given_back_atomic",
} as const;

/** The row with its amount in the second currency; null if its day has no official rate. */
function addConverted(row: Record<Column, string>, { currency, rateOn }: Conversion): Record<string, string | null> {
  const rate = rateOn(row.settled_at.slice(0, 10));
  const sums = Object.entries(CONVERTED_SUMS).map(([name, column]) => {
    const amount = BigInt(row[column]);
    return [`${name}_${currency.toLowerCase()}`, rate && renderUSD(convert(amount, rate))];
  });
  const by = { currency, rate: rate?.rate ?? null, rate_date: rate?.date ?? null, rate_source: rate?.source ?? null };
  return { ...row, ...by, ...Object.fromEntries(sums) };
}

interface PrintedSales {
  readonly found: FoundLedger;
  readonly period: NamedPeriod;
  readonly conversion: Conversion | null;
}

async function printSales(
  { found, period, conversion }: PrintedSales,
  { json, csv }: Pick<SalesOptions, "json" | "csv">,
): Promise<void> {
  const refunds = await refundsAt(found, period);
  const corrections = await correctionsAt(found, period);
  let unconverted = 0;
  const complete = (row: Record<Column, string>): Record<string, string | null> => {
    const whole: Record<string, string | null> = conversion === null ? row : addConverted(row, conversion);
    if (conversion !== null && whole.rate === null) unconverted += 1;
    return whole;
  };
  await withSales(found, period, (sales) => {
    if (json) {
      const given_back = refunds.map(toRefundColumns).map(complete);
      const corrected = corrections.map(toCorrectionColumns).map(complete);
      const sold = [...Iterator.from(sales).map(toColumns).map(complete)];
      print(JSON.stringify({ sales: sold, given_back, corrected }));
    } else if (csv) {
      const sums = Object.keys(CONVERTED_SUMS).map((name) => `${name}_${conversion?.currency.toLowerCase()}`);
      const columns: readonly string[] = conversion === null ? COLUMNS : [...COLUMNS, ...CONVERTED, ...sums];
      const printRow = (row: Record<Column, string>) => {
        const whole = complete(row);
        print(renderCSVRow(columns.map((name) => whole[name] ?? "")));
      };
      print(renderCSVRow(columns));
      for (const sale of sales) printRow(toColumns(sale));
      for (const refund of refunds) printRow(toRefundColumns(refund));
      for (const correction of corrections) printRow(toCorrectionColumns(correction));
    } else printText(sales, { refunds, corrections });
  });
  if (unconverted > 0) {
    const rows = unconverted === 1 ? "1 row has" : `${unconverted} rows have`;
    printError(`warning: ${rows} no official rate of ${conversion?.currency} for the day: left empty`);
  }
}

interface ByHand {
  readonly refunds: readonly RefundRow[];
  readonly corrections: readonly CorrectionRow[];
}

function printText(sales: Iterable<SaleRow>, { refunds, corrections }: ByHand): void {
  let settled: MoneySum = { count: 0, amount: 0n };
  let received = 0n;
  for (const sale of sales) {
    const { settled_at, product, amount_usd, payer, network, transaction, label, on_chain } = toColumns(sale);
    const marks = [label === "organic" ? "" : `  ${label}`, on_chain === "missing" ? "  never landed" : ""].join("");
    const what = `${product.padEnd(24)} ${amount_usd.padStart(10)}`;
    print(escapeInvisible(`${settled_at}  ${what}  ${payer}  ${network}  ${transaction}${marks}`));
    settled = { count: settled.count + 1, amount: settled.amount + sale.amount };
    received += receivedOf(sale);
  }
  const printByHand = ({ at_ms, product, amount, payer, network, reference }: RefundRow, words: string) => {
    const what = `${product.padEnd(24)} ${renderUSD(-amount).padStart(10)}`;
    print(escapeInvisible(`${renderTime(at_ms)}  ${what}  ${payer}  ${network}  ${reference}  ${words}`));
  };
  for (const refund of refunds) printByHand(refund, "given back");
  for (const correction of corrections) printByHand(correction, "corrected");
  received -= corrections.reduce((sum, { amount }) => sum + amount, 0n);
  const given_back = refunds.reduce((sum, { amount }) => sum + amount, 0n);
  const missing = settled.amount - received;
  const parts = [
    `${settled.count} ${settled.count === 1 ? "sale" : "sales"}`,
    `${renderUSD(settled.amount)} USD settled`,
    ...(missing === 0n ? [] : [`${renderUSD(missing)} USD of it never landed`]),
    `${renderUSD(received)} USD received`,
    ...(given_back === 0n ? [] : [`${renderUSD(given_back)} USD given back`]),
  ];
  print(parts.join(", "));
}
