import type { PrivateKeyAccount } from "viem/accounts";
import { sha256Hex } from "../core/hash.ts";

/**
 * A wallet for tests and demonstrations: the same seed gives the same account. Like every payer the sandbox has not
 * seen, it holds 100 test USDC. Its key follows from the seed, so it is worthless everywhere else.
 */
export async function createTestPayer(seed: string): Promise<PrivateKeyAccount> {
  const { privateKeyToAccount } = await import("viem/accounts");
  return privateKeyToAccount(`0x${sha256Hex(`sandbox payer ${seed}`)}`);
}
