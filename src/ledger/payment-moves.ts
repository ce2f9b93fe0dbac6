import { NodeError } from "../core/errors.ts";
import type { BegunPayment } from "./begun-payments.ts";
import type { Kept, SettledPayment } from "./payment-row.ts";

/** The two steps every sale takes on disk: its answer before money moves, and its receipt after. */
export type PaymentMove =
  | {
      readonly to: "settling";
      readonly id: string;
      /** Not written yet: it gets its row with its answer. */
      readonly begun: BegunPayment | null;
      readonly answer: string;
      readonly kept: Kept;
    }
  | { readonly to: "settled"; readonly id: string; readonly settled: SettledPayment };

/** Hexadecimal is one number in either case; other chains tell case apart. */
export const canonicalTransaction = (text: string): string =>
  /^0x[0-9a-fA-F]+$/.test(text) ? text.toLowerCase() : text;

/** The error for a buyer whose identifier names another payment. */
export const identifierTaken = (): NodeError =>
  new NodeError("identifier_conflict", "This payment identifier stands for another payment. Nothing was charged.");

/** The error for a buyer whose payment is in no state to store an answer. */
export const notTaken = (): NodeError =>
  new NodeError("ledger_unavailable", "The ledger could not take the payment. Nothing was charged.", {
    retry_after_s: 30,
  });
