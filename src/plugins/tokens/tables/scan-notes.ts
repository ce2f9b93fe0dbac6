import { scanNotes } from "../whales/tables.ts";

export const table = scanNotes;
