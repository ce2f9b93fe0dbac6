import { tradePoolScans } from "../trades/tables.ts";

export const table = tradePoolScans;
