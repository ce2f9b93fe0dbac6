import { tradeScans } from "../trades/tables.ts";

export const table = tradeScans;
