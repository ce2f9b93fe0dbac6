import { factoryNotes } from "../launches/factory-tables.ts";

export const table = factoryNotes;
