import { tradePoolScans } from "../shared/trades/tables.ts";

export const table = tradePoolScans;
