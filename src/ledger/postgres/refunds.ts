import { decideSaleRefund } from "../decide/sale-refunds.ts";
import type { Promised } from "../promised.ts";
import {
  type NewRefund,
  REFUND_SQL,
  type RefundOutcome,
  type RefundQueries,
  type StoredRefund,
  toRefund,
} from "../refunds.ts";
import type { DecidedCommand } from "./decided-command.ts";
import type { Reader } from "./reader.ts";

export const createRefundQueries = ({ all, get }: Reader): Promised<RefundQueries> => ({
  refundsOf: async (receipt_id) => (await all<StoredRefund>(REFUND_SQL.of_receipt, [receipt_id])).map(toRefund),
  async byReference(reference) {
    const row = await get<StoredRefund>(REFUND_SQL.by_reference, [reference]);
    return row && toRefund(row);
  },
});

/** Its answer is what it came to: a refusal must not fail the others of its batch. */
export const giveBackOn = (refund: NewRefund): DecidedCommand => ({
  want: ({ refunds }) => void refunds.push(refund),
  decide(rows): RefundOutcome {
    const { receipt_id, reference, reason } = refund;
    const sale = rows.refunds.sale(receipt_id);
    const decided = decideSaleRefund(refund, { sale, named: rows.refunds.named(reference) });
    if (decided.result === "given_back") {
      const id = rows.tick();
      rows.post(decided.transfers, id);
      rows.refunds.add({ id, receipt_id, amount: decided.amount, reference, reason });
    }
    return { result: decided.result, key_id: sale?.key_id ?? null };
  },
});
