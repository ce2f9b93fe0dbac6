import { launches } from "../shared/launches/tables.ts";

export const table = launches;
