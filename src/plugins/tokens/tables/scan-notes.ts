import { scanNotes } from "../shared/whales/tables.ts";

export const table = scanNotes;
