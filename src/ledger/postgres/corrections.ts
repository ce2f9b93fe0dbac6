import { CORRECTION_SQL, type CorrectionQueries, type StoredCorrection, toCorrection } from "../corrections.ts";
import { EXPLAINED_SQL, type ExplainedQueries, type StoredExplanation, toExplained } from "../explained.ts";
import type { Promised } from "../promised.ts";
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
