import type { PaymentToSettle } from "./types.ts";

/** A payment as x402 version 2 writes it: what the buyer accepted is our own requirement, never his copy of it. */
export const renderPayload = ({ payload, requirement, resource }: PaymentToSettle) => ({
  x402Version: 2,
  accepted: requirement,
  payload,
  ...(resource ? { resource } : {}),
});
