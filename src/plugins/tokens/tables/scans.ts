import { scans } from "../shared/whales/tables.ts";

export const table = scans;
