import { verdictGrades } from "../shared/calibration/verdict-records.ts";

export const table = verdictGrades;
