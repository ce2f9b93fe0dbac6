import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { renderTime } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import { cleanForeign } from "../core/foreign-text.ts";
import { parseUSD, renderUSD } from "../core/money.ts";
import { closed } from "../core/schema-fields.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { canonicalTransaction } from "../ledger/payment-moves.ts";
import { readStoryWord } from "./render-stories.ts";

const REFERENCE_CHARS_MAX = 200;
const REASON_CHARS_MAX = 300;

/** What the operator sent back to a buyer by hand. */
export const RefundInput = Type.Object(
  {
    sale: Type.String({ minLength: 1, maxLength: 300, description: "transaction, receipt or payment it is of" }),
    reference: Type.String({
      minLength: 1,
      maxLength: REFERENCE_CHARS_MAX,
      description: "the transaction it was sent back by; the same one is written once",
    }),
    reason: Type.String({ minLength: 1, maxLength: REASON_CHARS_MAX, description: "why, for the books" }),
    amount_usd: Type.Optional(
      Type.String({
        pattern: "^(0|[1-9][0-9]{0,9})(\\.[0-9]{1,6})?$",
        description: "in USD; all that is left of what was paid unless given",
      }),
    ),
  },
  closed,
);
export type RefundInput = Static<typeof RefundInput>;

const refuse = (param: string, message: string): NodeError => new NodeError("invalid_parameter", message, { param });

/**
 * Writes down what was sent back for a sale, once for each reference. Nothing of the sale is changed, and no money
 * moves on the chain: the operator has sent it.
 * @throws NodeError not_found or invalid_parameter, and nothing was written.
 */
export async function runRefund(ledger: Ledger, input: RefundInput): Promise<Record<string, unknown>> {
  const fault = Value.Errors(RefundInput, input).First();
  if (fault) throw refuse(fault.path.slice(1), `${fault.path.slice(1)}: ${fault.message}. Nothing was written.`);
  const reference = canonicalTransaction(cleanForeign(input.reference, REFERENCE_CHARS_MAX));
  const reason = cleanForeign(input.reason, REASON_CHARS_MAX);
  if (reference === "") throw refuse("reference", "A refund needs a reference: the transaction it was sent back by.");
  if (reason === "") throw refuse("reason", "A refund needs a reason.");
  const receipt_id = await findReceipt(ledger, input.sale);
  const amount = input.amount_usd === undefined ? null : parseUSD(input.amount_usd);
  const is_new = await ledger.refunds.giveBack({ receipt_id, amount, reference, reason });
  const written = await ledger.refunds.byReference(reference);
  if (written === null) throw new NodeError("internal_error", "A refund that was written is not there.");
  return {
    receipt_id,
    amount_usd: renderUSD(written.amount),
    amount_atomic: written.amount.toString(),
    reference: written.reference,
    reason: written.reason,
    at: renderTime(written.at_ms),
    written_before: !is_new,
  };
}

/**
 * The sale of a transaction, receipt or payment.
 * @throws NodeError not_found; invalid_parameter when it names several.
 */
export async function findReceipt(ledger: Ledger, sale: string): Promise<string> {
  const { payments } = await ledger.stories.find(readStoryWord(sale));
  const receipts = payments.flatMap(({ receipt }) => (receipt === null ? [] : [receipt.receipt_id]));
  const [first, second] = receipts;
  if (first === undefined) throw new NodeError("not_found", "There is no settled payment of this name.");
  if (second !== undefined) throw refuse("sale", "It stands for several payments: name one by its receipt.");
  return first;
}
