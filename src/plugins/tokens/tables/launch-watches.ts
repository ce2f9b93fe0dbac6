import { watches } from "../launches/tables.ts";

export const table = watches;
