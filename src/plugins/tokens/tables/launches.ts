import { launches } from "../launches/tables.ts";

export const table = launches;
