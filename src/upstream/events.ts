import type { UpstreamErrorKind } from "../core/errors.ts";
import type { BreakerState } from "./breaker.ts";

/** Receives every sent call and every change of a breaker, without secrets. */
export type UpstreamEvent =
  | {
      readonly event: "upstream_call";
      readonly provider: string;
      /** Redacted. */
      readonly url: string;
      readonly ok: boolean;
      /** Counts from 1; above 1 for a repetition or another address. */
      readonly attempt: number;
      readonly latency_ms: number;
      readonly status?: number;
      readonly error?: UpstreamErrorKind;
      readonly message?: string;
    }
  | {
      /** A stream connected, failed to connect, or had a message refused. */
      readonly event: "upstream_socket";
      readonly provider: string;
      readonly url: string;
      readonly ok: boolean;
      readonly message?: string;
    }
  | {
      /** An answer was accepted without some of its rows. */
      readonly event: "upstream_rows";
      readonly provider: string;
      readonly url: string;
      readonly dropped: number;
      readonly of: number;
      /** Position and kind of the first fault; never the value. */
      readonly fault: string;
    }
  | {
      readonly event: "upstream_breaker";
      readonly provider: string;
      readonly url: string;
      readonly state: BreakerState;
    };
