import {
  CORRECTION_SQL,
  type CorrectionQueries,
  judgeCorrection,
  type NewCorrection,
  type StoredCorrection,
  toCorrection,
} from "../corrections.ts";
import { EXPLAINED_SQL, type ExplainedQueries, type StoredExplanation, toExplained } from "../explained.ts";
import type { Promised } from "../promised.ts";
import type { DecidedCommand } from "./decided-command.ts";
import type { Reader } from "./reader.ts";

export const createCorrectionQueries = ({ all, get }: Reader): Promised<CorrectionQueries> => ({
  correctionsOf: async (receipt_id) =>
    (await all<StoredCorrection>(CORRECTION_SQL.of_receipt, [receipt_id])).map(toCorrection),
  async byReference(reference) {
    const row = await get<StoredCorrection>(CORRECTION_SQL.by_reference, [reference]);
    return row && toCorrection(row);
  },
});

export const createExplainedQueries = ({ all, get }: Reader): Promised<ExplainedQueries> => ({
  list: async (limit) => (await all<StoredExplanation>(EXPLAINED_SQL.list, [limit])).map(toExplained),
  async get(network, transaction) {
    const row = await get<StoredExplanation>(EXPLAINED_SQL.one, [network, transaction]);
    return row && toExplained(row);
  },
});

/** Its answer is whether it was written now. */
export const correctOn = (correction: NewCorrection): DecidedCommand => ({
  want: ({ corrections }) => void corrections.push(correction),
  decide(rows): boolean {
    const { receipt_id, received, reference, reason } = correction;
    const sale = rows.corrections.sale(receipt_id);
    const decided = judgeCorrection(correction, { sale, known: rows.corrections.named(reference) });
    if (decided === null) return false;
    const id = rows.tick();
    rows.post(decided.transfers, id);
    const { amount, confirms } = decided;
    rows.corrections.add({ id, receipt_id, amount, received, reference, reason, confirms });
    return true;
  },
});
