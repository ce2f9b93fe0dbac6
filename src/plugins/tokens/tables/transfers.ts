import { transfers } from "../whales/tables.ts";

export const table = transfers;
