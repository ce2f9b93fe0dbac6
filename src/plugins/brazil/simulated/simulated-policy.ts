import { COPOM_DATES, type ISODate } from "intel-node";
import { round } from "./simulated-days.ts";

/** Meetings at which the simulated Copom cuts. */
const CUTS = COPOM_DATES.filter((meeting) => meeting >= "2026-03-01" && meeting < "2027");

/** The Selic target: 15 % until March 2026, a quarter less after every meeting of that year from then on. */
export const targetOn = (date: ISODate): number => 15 - 0.25 * CUTS.filter((meeting) => meeting < date).length;

/** The overnight DI, percent a year: a tenth below the target. The simulated curve begins at it. */
export const overnightOn = (date: ISODate): number => round(targetOn(date) - 0.1, 2);
