import { assessments } from "../launches/tables.ts";

export const table = assessments;
