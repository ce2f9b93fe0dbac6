import { tradePools } from "../shared/trades/tables.ts";

export const table = tradePools;
