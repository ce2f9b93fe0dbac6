import { factoryNotes } from "../shared/launches/factory-tables.ts";

export const table = factoryNotes;
