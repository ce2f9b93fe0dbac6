import { watches } from "../shared/launches/tables.ts";

export const table = watches;
