import type { UpstreamErrorKind } from "../core/errors.ts";
import type { BreakerState } from "./breaker.ts";

/** Told about every call sent and every breaker that changes. Holds no secret. */
export type UpstreamEvent =
  | {
      readonly event: "upstream_call";
      readonly provider: string;
      /** Redacted. */
      readonly url: string;
      readonly ok: boolean;
      /** Counts from 1; above 1 it is a repetition or another address. */
      readonly attempt: number;
      readonly latency_ms: number;
      readonly status?: number;
      readonly error?: UpstreamErrorKind;
      readonly message?: string;
    }
  | {
      /** A stream connected, or why it is not, or a message of it was refused. */
      readonly event: "upstream_socket";
      readonly provider: string;
      readonly url: string;
      readonly ok: boolean;
      readonly message?: string;
    }
  | {
      /** An answer stands without some of its rows. */
      readonly event: "upstream_rows";
      readonly provider: string;
      readonly url: string;
      readonly dropped: number;
      readonly of: number;
      /** Where the first of them was wrong, and how; never what it said. */
      readonly fault: string;
    }
  | {
      readonly event: "upstream_breaker";
      readonly provider: string;
      readonly url: string;
      readonly state: BreakerState;
    };
