import { readings } from "../shared/launches/tables.ts";

export const table = readings;
