import { tradePools } from "../trades/tables.ts";

export const table = tradePools;
