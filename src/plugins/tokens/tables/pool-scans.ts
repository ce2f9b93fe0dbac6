import { poolScans } from "../whales/tables.ts";

export const table = poolScans;
