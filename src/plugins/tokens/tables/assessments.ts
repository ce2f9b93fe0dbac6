import { assessments } from "../shared/launches/tables.ts";

export const table = assessments;
