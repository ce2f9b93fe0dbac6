import { renderTime } from "../core/clock.ts";
import type { Source } from "./context.ts";

/** What every answer carries besides its data. */
export interface Envelope {
  product: string;
  node_id: string;
  as_of: string;
  generated_at: string;
  delayed: boolean;
  age_seconds?: number;
  sandbox?: true;
  sources: readonly Source[];
  warnings: readonly string[];
  data: unknown;
}

export interface EnvelopeInput {
  readonly product: string;
  readonly node_id: string;
  readonly sandbox: boolean;
  readonly as_of_ms: number;
  readonly generated_at_ms: number;
  readonly sources: readonly Source[];
  readonly warnings: readonly string[];
  readonly data: unknown;
  /** Set for previews: the age to state, in seconds. */
  readonly delayed_s?: number;
}

export function createEnvelope(input: EnvelopeInput): Envelope {
  return {
    product: input.product,
    node_id: input.node_id,
    as_of: renderTime(input.as_of_ms),
    generated_at: renderTime(input.generated_at_ms),
    delayed: input.delayed_s !== undefined,
    ...(input.delayed_s === undefined ? {} : { age_seconds: input.delayed_s }),
    ...(input.sandbox ? { sandbox: true as const } : {}),
    sources: input.sources,
    warnings: input.warnings,
    data: input.data,
  };
}
