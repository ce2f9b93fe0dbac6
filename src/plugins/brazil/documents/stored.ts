import { Type } from "@sinclair/typebox";
import { defineDocument, Rows } from "./documents.ts";

const Figure = Type.Union([Type.Number(), Type.Null()]);

/** Observations of a series of the central bank, one document a series, by its id. */
export const macroSeries = defineDocument("sgs", Rows);
/** Day, buy, sell of the closing PTAX, oldest first. */
export const ptax = defineDocument("ptax", Type.Array(Type.Tuple([Type.String(), Type.Number(), Type.Number()])));

/** Focus by indicator ("ipca"): this year and the next two. */
export const focusYears = defineDocument(
  "focus-years",
  Type.Array(
    Type.Object({
      indicator: Type.String(),
      year: Type.Integer(),
      median: Type.Number(),
      mean: Type.Number(),
      sd: Type.Number(),
      min: Type.Number(),
      max: Type.Number(),
      respondents: Type.Integer(),
      change_4w: Figure,
      survey_date: Type.String(),
    }),
  ),
);
const Expectation = { median: Type.Number(), survey_date: Type.String() };
/** Expected IPCA of the next 12 months, smoothed. */
export const focusInflation12 = defineDocument("focus-inflation-12m", Type.Object(Expectation));
/** Expected Selic target after each meeting. */
export const focusMeetings = defineDocument(
  "focus-meetings",
  Type.Array(Type.Object({ meeting: Type.String(), ...Expectation })),
);

/** Months of IBGE's own tables, by "ipca" and "unemployment". */
export const ibgeSeries = defineDocument("ibge", Rows);
export const ibgeCalendar = defineDocument(
  "ibge-calendar",
  Type.Array(
    Type.Object({ at_ms: Type.Integer(), title: Type.String(), url: Type.Union([Type.String(), Type.Null()]) }),
  ),
);
/** Crop estimates by "production" (t) and "area" (ha). */
export const cropEstimates = defineDocument(
  "crop",
  Type.Array(Type.Object({ crop: Type.String(), period: Type.String(), value: Type.Number() })),
);

/** Symbol and weight (percent) of each member of the Ibovespa. */
export const indexMembers = defineDocument("ibov-members", Rows);
/** Closing levels of the Ibovespa, oldest first. */
export const indexLevels = defineDocument("ibov-levels", Rows);
