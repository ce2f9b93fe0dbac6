import { scans } from "../whales/tables.ts";

export const table = scans;
