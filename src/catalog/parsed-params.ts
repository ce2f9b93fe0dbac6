import type { Payer } from "./context.ts";
import type { View } from "./view.ts";

export interface ParsedParams {
  readonly params: Readonly<Record<string, unknown>>;
  /** Equal for equal requests: canonical JSON of the normalised parameters. */
  readonly key: string;
  /** Which part of the answer is wanted; left out for the product's usual one. */
  readonly view?: View;
  /** The earlier answer of this buyer's of which he wants to know what changed. */
  readonly since?: string;
  /** The answer is wanted as it could have been sold at this time. */
  readonly as_of_ms?: number;
  /** Required parameters that were left out. Only a paying call is refused for it: probes send nothing. */
  readonly missing: readonly string[];
  /** Set by the gate, for products that use it: see `withPayer`. */
  readonly payer?: Payer;
  /** Stand-in nodes that the call came through; null: they cannot be determined. Set by the gate. */
  readonly came_through?: readonly string[] | null;
  /** The same as they signed it. */
  readonly came_by?: string;
}
