import { HTTPFacilitatorClient } from "@x402/core/server";
import { FacilitatorTimeoutError, SettleError, VerifyError } from "@x402/core/types";
import { messageOf } from "../../core/errors.ts";
import type { Facilitator, PaymentToSettle, SettleOutcome, VerifyOutcome } from "./types.ts";

export interface RemoteOptions {
  readonly id: string;
  readonly kind: "remote" | "sandbox";
  readonly url: string;
  /** Sent with every call, such as an API key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly verify_timeout_ms: number;
  readonly settle_timeout_ms: number;
}

const SUPPORTED_TIMEOUT_MS = 5_000;
const KINDS_MAX = 500;

type ClientPayload = Parameters<HTTPFacilitatorClient["verify"]>[0];
type ClientRequirement = Parameters<HTTPFacilitatorClient["verify"]>[1];

/** A facilitator behind HTTP, through the official client. Always spoken to in version 2. */
export function createRemoteFacilitator(options: RemoteOptions): Facilitator {
  const { id, kind, url, headers } = options;
  const client = (timeoutMs: number) =>
    new HTTPFacilitatorClient({
      url,
      timeoutMs,
      createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers, bazaar: headers }),
    });
  const forSupported = client(SUPPORTED_TIMEOUT_MS);
  const forVerify = client(options.verify_timeout_ms);
  const forSettle = client(options.settle_timeout_ms);

  return {
    id,
    kind,
    url,
    async getSupported() {
      const { kinds, signers } = await forSupported.getSupported();
      return {
        kinds: kinds
          .slice(0, KINDS_MAX)
          .filter((entry) => entry.x402Version === 2)
          .map((entry) => ({ scheme: entry.scheme, network: entry.network, extra: entry.extra ?? {} })),
        signers: signers ?? {},
      };
    },
    async verify(payment): Promise<VerifyOutcome> {
      try {
        const result = await forVerify.verify(...toClient(payment));
        return result.isValid ? { kind: "valid" } : { kind: "invalid", reason: result.invalidReason ?? "refused" };
      } catch (error) {
        // A refusal may come with a 4xx or 5xx status; the client throws those with the facilitator's words.
        if (error instanceof VerifyError) return { kind: "invalid", reason: error.invalidReason ?? "refused" };
        return { kind: "unavailable", cause: messageOf(error) };
      }
    },
    async settle(payment): Promise<SettleOutcome> {
      try {
        const { success, transaction, errorReason } = await forSettle.settle(...toClient(payment));
        return readSettlement({ success, transaction, reason: errorReason });
      } catch (error) {
        if (error instanceof SettleError) {
          return readSettlement({ success: false, transaction: error.transaction, reason: error.errorReason });
        }
        if (error instanceof FacilitatorTimeoutError) return { kind: "unknown", cause: error.message };
        return wasNeverSent(error)
          ? { kind: "unseen", cause: messageOf(error) }
          : { kind: "unknown", cause: messageOf(error) };
      }
    },
  };
}

function toClient({ payload, requirement, resource }: PaymentToSettle): [ClientPayload, ClientRequirement] {
  // The client's types are mutable and have template types for networks; it only serialises what it is given, and the
  // shapes are our own or were checked by our codec.
  const accepted = requirement as unknown as ClientRequirement;
  const whole = { x402Version: 2, accepted, payload, ...(resource ? { resource } : {}) };
  return [whole as unknown as ClientPayload, accepted];
}

/** Reasons that leave the outcome open: the facilitator broadcast, or failed before it knew. */
const OPEN_REASONS = new Set(["settlement_pending", "unexpected_settle_error"]);
/** "Already used" may mean that our own first settle worked, so the chain has the word. */
const MAYBE_OURS = /nonce_already_used|duplicate_settlement|already_in_ledger|confirmation_(timed_out|failed)/;

function readSettlement(result: { success: boolean; transaction: string; reason: string | undefined }): SettleOutcome {
  const { success, transaction, reason = "refused" } = result;
  if (success) {
    return transaction === ""
      ? { kind: "unknown", cause: "success without a transaction" }
      : { kind: "settled", transaction };
  }
  if (OPEN_REASONS.has(reason) || MAYBE_OURS.test(reason)) {
    return { kind: "unknown", cause: reason, ...(transaction === "" ? {} : { transaction }) };
  }
  return { kind: "refused", reason, transaction };
}

/** Only failures to connect at all count: a reset may come after the request was read. */
function wasNeverSent(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return (
    code === "ECONNREFUSED" || code === "ConnectionRefused" || code === "ENOTFOUND" || code === "FailedToOpenSocket"
  );
}
