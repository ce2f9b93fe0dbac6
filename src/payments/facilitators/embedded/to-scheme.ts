import type { PaymentPayload, PaymentRequirements, SchemeNetworkFacilitator } from "@x402/core/types";
import type { Scheme } from "./types.ts";

/** The schemes' own types are mutable and have template types for networks; they read what they are given, no more. */
export const toScheme = (scheme: Pick<SchemeNetworkFacilitator, "verify" | "settle">): Scheme => ({
  verify: (payload, requirement) => scheme.verify(payload as PaymentPayload, requirement as PaymentRequirements),
  settle: (payload, requirement) => scheme.settle(payload as PaymentPayload, requirement as PaymentRequirements),
});
