import { tradeNotes } from "../trades/tables.ts";

export const table = tradeNotes;
