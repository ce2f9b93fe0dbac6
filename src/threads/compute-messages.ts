import type { Answerer } from "../catalog/make-answer.ts";
import type { MadeOfInputs } from "../catalog/rendered-answer.ts";
import type { Source } from "../catalog/source.ts";

/** What is to be made in another thread: plain data, all of it. */
export interface ComputeOrder extends Answerer {
  /** "product": that it is loaded, so that no later order waits for that. */
  readonly wanted: keyof MadeOfInputs | "product";
  /** The product's file, as the catalog names it: one of ours in "src/", or the operator's own. */
  readonly file: string;
  /** Where it is sold by default: a file of the operator's holds several products. */
  readonly default_path: string;
  /** Its name in the answer. */
  readonly product: string;
  /** As text: see `encodeInputs`. */
  readonly params: string;
  readonly inputs: string;
  readonly now_ms: number;
  readonly sources: readonly Source[];
  readonly row_warnings: readonly string[];
}

/** What the thread says of an order. */
export type ComputeNews =
  | { readonly made: MadeOfInputs[keyof MadeOfInputs] | null; readonly cpu_ms: number }
  /** What the product threw: as text, with what its text leaves out. */
  | { readonly thrown: string; readonly name: string; readonly stack: string | undefined; readonly cpu_ms: number }
  /** This thread does not find the product. */
  | { readonly unknown: string };

/** Said once, when orders may come. */
export const READY = "ready";
/** Said of each order, when its product is loaded: from then on the thread can be ended. */
export const COMPUTING = "computing";

export type ComputeSaid = typeof READY | typeof COMPUTING | ComputeNews;
