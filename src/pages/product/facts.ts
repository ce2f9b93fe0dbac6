import type { Envelope } from "../../catalog/envelope.ts";
import type { Html } from "../html.ts";
import type { ReceiptFacts } from "../status.ts";

/** Results of one product's calls over some days, from stored samples. */
export interface RunFacts {
  readonly days: number;
  /** Runs with data, and uncharged failed runs. */
  readonly ok: number;
  readonly failed: number;
}

/** The data of a product's page besides its definition, gathered at most every few seconds. */
export interface ProductFacts {
  /** The free, delayed answer; null until the first is old enough. */
  readonly sample: Envelope | null;
  /** Newest first. */
  readonly receipts: readonly ReceiptFacts[];
  /** Null before the first sample. */
  readonly runs: RunFacts | null;
  /** Time of its last live answer, and of that answer's data, ms; null before the first. */
  readonly last_success: { readonly at_ms: number; readonly as_of_ms: number } | null;
  readonly now_ms: number;
  /** Whether the inputs of its answers are kept, so that a buyer can recompute an answer. */
  readonly keeps_inputs: boolean;
  /** Whether its method has a page. */
  readonly has_method: boolean;
  /** Charts of the free sample. */
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
