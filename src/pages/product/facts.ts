import type { Envelope } from "../../catalog/envelope.ts";
import type { Html } from "../html.ts";
import type { ReceiptFacts } from "../status.ts";

/** How calls of one product went in some days, from stored samples. */
export interface RunFacts {
  readonly days: number;
  /** Runs that gave data, and those that failed and cost nobody anything. */
  readonly ok: number;
  readonly failed: number;
}

/** What a product's page shows besides its definition; gathered at most every few seconds. */
export interface ProductFacts {
  /** The free, delayed answer; null before the first is old enough. */
  readonly sample: Envelope | null;
  /** Newest first. */
  readonly receipts: readonly ReceiptFacts[];
  /** Null where nothing was sampled yet. */
  readonly runs: RunFacts | null;
  /** When it last gave a live answer, and the time of its data, ms; null before the first. */
  readonly last_success: { readonly at_ms: number; readonly as_of_ms: number } | null;
  readonly now_ms: number;
  /** Whether what its answers are made of is kept, so that a buyer can make his again. */
  readonly keeps_inputs: boolean;
  /** Whether a page says how its figures are made. */
  readonly has_method: boolean;
  /** Charts of the sample. */
  readonly charts: Html | "";
}

export const NO_FACTS: Omit<ProductFacts, "now_ms"> = {
  sample: null,
  receipts: [],
  runs: null,
  last_success: null,
  keeps_inputs: false,
  has_method: false,
  charts: "",
};
