import { transfers } from "../shared/whales/tables.ts";

export const table = transfers;
