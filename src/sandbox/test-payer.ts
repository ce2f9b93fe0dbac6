import type { PrivateKeyAccount } from "viem/accounts";
import { sha256Hex } from "../core/hash.ts";

type Hex = `0x${string}`;

/**
 * A wallet for tests and demonstrations: the same seed gives the same account. Like every payer new to the sandbox, it
 * holds 100 test USDC. Its key follows from a public seed: never use it for real.
 */
export async function createTestPayer(seed: string): Promise<PrivateKeyAccount> {
  const { privateKeyToAccount } = await import("viem/accounts");
  return privateKeyToAccount(`0x${sha256Hex(`sandbox payer ${seed}`)}`);
}

/** The terms and the token that a payer signs. Amounts in the token's smallest unit, times in seconds. */
export interface TestTransfer {
  readonly domain: { readonly name: string; readonly version: string; readonly chainId: number };
  readonly asset: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly valid_after_s: bigint;
  readonly valid_before_s: bigint;
  readonly nonce: Hex;
}

/**
 * The `payload` of an `exact` payment on EVM (EIP-3009), signed exactly with the given terms, right or wrong. It does
 * not use the node's own payment code, so that the two can disagree.
 */
export async function signTestTransfer(account: PrivateKeyAccount, transfer: TestTransfer) {
  const { domain, asset, to, value, valid_after_s, valid_before_s, nonce } = transfer;
  const message = { from: account.address, to, value, validAfter: valid_after_s, validBefore: valid_before_s, nonce };
  const signature = await account.signTypedData({
    domain: { ...domain, verifyingContract: asset },
    types: {
      TransferWithAuthorization: [
        { name: "from", type: "address" },
        { name: "to", type: "address" },
        { name: "value", type: "uint256" },
        { name: "validAfter", type: "uint256" },
        { name: "validBefore", type: "uint256" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
    message,
  });
  const authorization = {
    ...message,
    value: value.toString(),
    validAfter: valid_after_s.toString(),
    validBefore: valid_before_s.toString(),
  };
  return { signature, authorization };
}
