import { poolScans } from "../shared/whales/tables.ts";

export const table = poolScans;
