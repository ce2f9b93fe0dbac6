import { tradeNotes } from "../shared/trades/tables.ts";

export const table = tradeNotes;
