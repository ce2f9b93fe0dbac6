import type { Promised } from "../promised.ts";
import { REFUND_SQL, type RefundQueries, type StoredRefund, toRefund } from "../refunds.ts";
import type { Reader } from "./reader.ts";

export const createRefundQueries = ({ all, get }: Reader): Promised<RefundQueries> => ({
  refundsOf: async (receipt_id) => (await all<StoredRefund>(REFUND_SQL.of_receipt, [receipt_id])).map(toRefund),
  async byReference(reference) {
    const row = await get<StoredRefund>(REFUND_SQL.by_reference, [reference]);
    return row && toRefund(row);
  },
});
