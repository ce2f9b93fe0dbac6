import { renderTime } from "../core/clock.ts";
import type { Source } from "./context.ts";
import type { GistHeadline, ToldGist } from "./gist.ts";

/** Where an answer came from that was not made here. Together with the data, it gives the very bytes the peer sold. */
export interface Via {
  /** The peer, by its own key. */
  readonly node_id: string;
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly receipt_id: string;
  /** Compact JWS of the peer's key over what it sold: product, payer, amount, hashes of request and answer. */
  readonly receipt: string;
  /** Where the peer's hourly seal over the answer is found, once it is made; of what a voucher bought, its receipt. */
  readonly seal_url: string;
  /** SHA-256 of the peer's bytes: those of `answer` with the whole `data` put behind its members, as JSON. */
  readonly response_sha256: string;
  /** All of the peer's answer but its data. */
  readonly answer: Readonly<Omit<Envelope, "data">>;
}

/** What every answer carries besides its data. */
export interface Envelope {
  /** Of previews: the parameters it was computed for. Comes first, so that no reader takes it for another subject's. */
  preview_of?: Readonly<Record<string, unknown>>;
  product: string;
  /** The answer in one sentence, of products that tell it. */
  text?: string;
  /** The answer's key figure; null when it has no such figure. */
  headline?: GistHeadline | null;
  node_id: string;
  as_of: string;
  generated_at: string;
  delayed: boolean;
  age_seconds?: number;
  sandbox?: true;
  sources: readonly Source[];
  warnings: readonly string[];
  /** Set where a peer made it. */
  via?: Via;
  data: unknown;
}

export interface EnvelopeInput {
  /** Set for previews of products: the parameters it was computed for. */
  readonly preview_of?: Readonly<Record<string, unknown>>;
  readonly product: string;
  readonly node_id: string;
  readonly sandbox: boolean;
  readonly as_of_ms: number;
  readonly generated_at_ms: number;
  readonly sources: readonly Source[];
  readonly warnings: readonly string[];
  readonly data: unknown;
  readonly via?: Via;
  /** Set for previews: the age to state, in seconds. */
  readonly delayed_s?: number;
  /** Null for a product that tells none. */
  readonly gist: ToldGist | null;
}

export function createEnvelope(input: EnvelopeInput): Envelope {
  return {
    ...(input.preview_of === undefined ? {} : { preview_of: input.preview_of }),
    product: input.product,
    ...input.gist,
    node_id: input.node_id,
    as_of: renderTime(input.as_of_ms),
    generated_at: renderTime(input.generated_at_ms),
    delayed: input.delayed_s !== undefined,
    ...(input.delayed_s === undefined ? {} : { age_seconds: input.delayed_s }),
    ...(input.sandbox ? { sandbox: true as const } : {}),
    sources: input.sources,
    warnings: input.warnings,
    ...(input.via === undefined ? {} : { via: input.via }),
    data: input.data,
  };
}
