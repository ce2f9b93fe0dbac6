import type { Static, TSchema } from "@sinclair/typebox";
import type { Unusable } from "./unusable.ts";

/** A stream of a provider's WebSocket. Equal ones share a connection. Messages are JSON texts. */
export interface SubscriptionRequest<S extends TSchema, T = Static<S>> {
  /** Path and query below the base address, whose http becomes ws; never holds a secret. */
  readonly path: string;
  readonly host?: string;
  /** Chain providers: which `[chains.<name>]`. */
  readonly chain?: string;
  /** Sent whenever it connects, such as what is subscribed to. */
  readonly hello?: readonly unknown[];
  readonly schema: S;
  /** The value of a message; null for one that carries none, such as a heartbeat; `unusable(why)` refuses it. */
  readonly read: (message: Static<S>) => T | Unusable | null;
  /** What `read` returns may be a text. Without it a text is refused, because it used to be a refusal. */
  readonly gives_text?: boolean;
  /** Without any message for this long the connection counts as dead. */
  readonly silence_ms: number;
  /** Values kept until the next drain; beyond it the oldest are dropped, which is a gap. */
  readonly buffer_max: number;
}

/** A stretch of time in which messages may have been missed. */
export interface Gap {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly why: string;
}

/** What a stream brought since it was last drained. */
export interface Drained<T> {
  /** Since when it has been listening without an interruption on this side; null before the first connection. */
  readonly listening_since_ms: number | null;
  readonly messages: readonly { readonly at_ms: number; readonly value: T }[];
  /** When nothing was received, oldest first; a gap that is still open ends now. */
  readonly gaps: readonly Gap[];
}
