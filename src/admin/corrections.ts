import { type Static, type TObject, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { renderTime } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import { cleanForeign } from "../core/foreign-text.ts";
import { parseUSD, renderUSD } from "../core/money.ts";
import { closed } from "../core/schema-fields.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { canonicalTransaction } from "../ledger/payment-moves.ts";
import { findReceipt } from "./refunds.ts";

const REFERENCE_CHARS_MAX = 200;
const REASON_CHARS_MAX = 300;
const REASON = Type.String({ minLength: 1, maxLength: REASON_CHARS_MAX, description: "why, for the books" });

/** What came in for a sale, where the books say something else. */
export const CorrectionInput = Type.Object(
  {
    sale: Type.String({ minLength: 1, maxLength: 300, description: "transaction, receipt or payment it is of" }),
    received_usd: Type.Optional(
      Type.String({
        pattern: "^(0|[1-9][0-9]{0,9})(\\.[0-9]{1,6})?$",
        description: "what came in for it, in USD; 0, nothing, unless given",
      }),
    ),
    reference: Type.String({
      minLength: 1,
      maxLength: REFERENCE_CHARS_MAX,
      description: "what names it in your own papers; the same one is written once",
    }),
    reason: REASON,
  },
  closed,
);
export type CorrectionInput = Static<typeof CorrectionInput>;

/** What came to a wallet and is no sale. */
export const ExplanationInput = Type.Object(
  {
    network: Type.String({ minLength: 1, maxLength: 120, description: "CAIP-2 id of the network it came on" }),
    transaction: Type.String({ minLength: 1, maxLength: 128, description: "the transaction it came by" }),
    reference: Type.Optional(
      Type.String({ maxLength: REFERENCE_CHARS_MAX, description: "what names it in your own papers" }),
    ),
    reason: REASON,
  },
  closed,
);
export type ExplanationInput = Static<typeof ExplanationInput>;

const refuse = (param: string, message: string): NodeError => new NodeError("invalid_parameter", message, { param });

function assertInput(schema: TObject, input: object): void {
  const fault = Value.Errors(schema, input).First();
  if (fault) throw refuse(fault.path.slice(1), `${fault.path.slice(1)}: ${fault.message}. Nothing was written.`);
}

function readReason(text: string): string {
  const reason = cleanForeign(text, REASON_CHARS_MAX);
  if (reason === "") throw refuse("reason", "The books need a reason. Nothing was written.");
  return reason;
}

/**
 * Writes down what came in for a sale, once for each reference. The sale and its receipt stay as they are.
 * @throws NodeError not_found or invalid_parameter, and nothing was written.
 */
export async function runCorrection(ledger: Ledger, input: CorrectionInput): Promise<Record<string, unknown>> {
  assertInput(CorrectionInput, input);
  const reference = canonicalTransaction(cleanForeign(input.reference, REFERENCE_CHARS_MAX));
  if (reference === "") throw refuse("reference", "A correction needs a reference. Nothing was written.");
  const reason = readReason(input.reason);
  const receipt_id = await findReceipt(ledger, input.sale);
  const received = parseUSD(input.received_usd ?? "0");
  const is_new = await ledger.corrections.correct({ receipt_id, received, reference, reason });
  const written = await ledger.corrections.byReference(reference);
  if (written === null) throw new NodeError("internal_error", "A correction that was written is not there.");
  return {
    receipt_id,
    received_usd: renderUSD(written.received),
    taken_off_usd: renderUSD(written.amount),
    reference: written.reference,
    reason: written.reason,
    at: renderTime(written.at_ms),
    written_before: !is_new,
  };
}

/**
 * Writes down what a transfer to a wallet is that is no sale, once. No money moves in the books.
 * @throws NodeError invalid_parameter, and nothing was written.
 */
export async function runExplanation(ledger: Ledger, input: ExplanationInput): Promise<Record<string, unknown>> {
  assertInput(ExplanationInput, input);
  const transaction = canonicalTransaction(input.transaction.trim());
  const reference = cleanForeign(input.reference ?? "", REFERENCE_CHARS_MAX);
  const { network } = input;
  const is_new = await ledger.explained.explain({ network, transaction, reference, reason: readReason(input.reason) });
  const written = await ledger.explained.get(network, transaction);
  if (written === null) throw new NodeError("internal_error", "An explanation that was written is not there.");
  const { at_ms, ...rest } = written;
  return { ...rest, at: renderTime(at_ms), written_before: !is_new };
}
