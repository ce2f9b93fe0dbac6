import type { PaymentToSettle } from "./types.ts";

/**
 * A payment as x402 version 2 writes it. What the buyer accepted is our own requirement, never his copy of it; so are
 * resource and extensions, which catalogs publish in our name. Nothing of these is signed.
 */
export const renderPayload = ({ payload, requirement, resource, extensions }: PaymentToSettle) => ({
  x402Version: 2,
  accepted: requirement,
  payload,
  ...(resource ? { resource } : {}),
  ...(extensions ? { extensions } : {}),
});
