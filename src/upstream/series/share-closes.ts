import { Type } from "@sinclair/typebox";
import { defineSeries, type SeriesSample } from "../../catalog/series.ts";

/**
 * Middle of each share's quote at the close of New York, US dollars, one per session, dated 00:00 UTC of the session's
 * day. A missed close stays missing; no later price replaces it.
 */
export const closes = defineSeries({
  name: "equities/close",
  value: Type.Number({ exclusiveMinimum: 0 }),
  every: "1d",
  keep: "1100d",
  storage: "kept",
  cited: true,
});

export interface Close {
  /** Day of the session, YYYY-MM-DD. */
  readonly date: string;
  readonly price: number;
  readonly sample: SeriesSample<number>;
}

export const toClose = (sample: SeriesSample<number>): Close => ({
  date: new Date(sample.at_ms).toISOString().slice(0, 10),
  price: sample.value,
  sample,
});
