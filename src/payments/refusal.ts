import { type ErrorCode, NodeError, type NodeErrorOptions } from "../core/errors.ts";

export interface Diagnostic {
  /** Short machine word, the facilitator's where it gave one. */
  readonly reason: string;
  readonly retryable: boolean;
  /** Whether to send the very same payment again rather than sign a new one. */
  readonly same_payment: boolean;
  readonly hint: string;
  /** For a client that was told before: what was received beside what was expected. */
  readonly fields?: readonly unknown[];
  /** Where the code is explained. */
  readonly docs?: string;
}

interface RefusalOptions extends Pick<NodeErrorOptions, "details" | "passed_on"> {
  readonly channel?: object | null;
}

/** A payment that was sent and is not taken: answers 402 with a fresh challenge and says why. */
export class PaymentRefusal extends NodeError {
  override readonly name = "PaymentRefusal";
  /** Set for channels: `error` is then the reason alone, and what is in it goes into the channel's `extra`. */
  readonly channel: object | null | undefined;
  constructor(
    code: ErrorCode,
    readonly diagnostic: Diagnostic,
    /** Set when a settlement was tried: goes into PAYMENT-RESPONSE. */
    readonly failed_settlement?: { readonly network: string; readonly payer: string },
    { channel, ...options }: RefusalOptions = {},
  ) {
    super(code, diagnostic.hint, options);
    this.channel = channel;
  }
}

/** Reason words go out in headers and JSON: keep them short and plain whatever a facilitator sends. */
export const plainReason = (text: string): string => text.replace(/[^A-Za-z0-9_:.-]+/g, "_").slice(0, 80) || "refused";

export const refuse = (code: ErrorCode, reason: string, hint: string): PaymentRefusal =>
  new PaymentRefusal(code, { reason: plainReason(reason), retryable: false, same_payment: false, hint });
