import { median as medianOf } from "../src/quant/stats.ts";

/** The middle of what was measured; NaN where nothing was. */
export const median = (values: readonly number[]): number => medianOf(values) ?? Number.NaN;
