import { tradeScans } from "../shared/trades/tables.ts";

export const table = tradeScans;
