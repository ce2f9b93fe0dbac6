import { expect } from "bun:test";

interface Settled {
  readonly network: string;
  readonly asset: string;
  readonly pay_to: string;
  readonly amount: bigint;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Settles a signed payment through the sandbox's facilitator. @returns the transaction it landed by. */
export async function settleInSandbox(facilitator_url: string, payload: unknown, settled: Settled): Promise<string> {
  const { network, asset, pay_to: payTo, amount, extra } = settled;
  const requirement = { scheme: "exact", network, amount: amount.toString(), asset, payTo, extra };
  const paymentPayload = { x402Version: 2, accepted: requirement, payload };
  const body = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements: requirement });
  const response = await fetch(`${facilitator_url}/settle`, { method: "POST", body });
  const { success, transaction } = (await response.json()) as { success: boolean; transaction: string };
  expect(success).toBe(true);
  return transaction;
}
