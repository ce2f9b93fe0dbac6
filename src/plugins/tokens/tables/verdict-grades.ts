import { verdictGrades } from "../calibration/verdict-records.ts";

export const table = verdictGrades;
