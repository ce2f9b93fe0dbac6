import { trades } from "../trades/tables.ts";

export const table = trades;
