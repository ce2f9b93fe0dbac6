import { readings } from "../launches/tables.ts";

export const table = readings;
