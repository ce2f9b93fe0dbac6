import { trades } from "../shared/trades/tables.ts";

export const table = trades;
