import { describe, expect, test } from "bun:test";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { hashTypedData, recoverAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { TRANSFER_WITH_AUTHORIZATION, usdcDomain } from "../payments/networks/evm/check-signature.ts";
import { networkById } from "../payments/networks/table.ts";
import { createTestPayer, signTestTransfer, type TestTransfer } from "./test-payer.ts";

const NETWORK = "eip155:84532";
const ASSET = "0x036CbD53842c5426634e7929541eC2318f3dCF7e";
const payer = await createTestPayer("payer");
const TRANSFER: TestTransfer = {
  domain: { name: "USDC", version: "2", chainId: 84532 },
  asset: ASSET,
  to: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  value: 10_000n,
  valid_after_s: 0n,
  valid_before_s: 1_767_225_900n,
  nonce: `0x${"11".repeat(32)}`,
};

test("a seed determines the test payer", async () => {
  expect((await createTestPayer("payer")).address).toBe(payer.address);
  expect((await createTestPayer("other")).address).not.toBe(payer.address);
});

describe("a test payer's signature", () => {
  const keccak = (data: Uint8Array | string) =>
    Buffer.from(keccak_256(typeof data === "string" ? new TextEncoder().encode(data) : data));
  const word = (value: bigint | string) =>
    Buffer.from((typeof value === "bigint" ? value.toString(16) : value.slice(2)).padStart(64, "0"), "hex");

  test("is over the EIP-712 digest of USDC on Base Sepolia, computed by hand", async () => {
    const domain_type = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
    const domain = keccak(Buffer.concat([keccak(domain_type), keccak("USDC"), keccak("2"), word(84532n), word(ASSET)]));
    const type =
      "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore," +
      "bytes32 nonce)";
    const { to, value, valid_after_s, valid_before_s, nonce } = TRANSFER;
    const fields = [payer.address, to, value, valid_after_s, valid_before_s, nonce].map(word);
    const digest = keccak(
      Buffer.concat([Buffer.from("1901", "hex"), domain, keccak(Buffer.concat([keccak(type), ...fields]))]),
    );

    const network = networkById(NETWORK);
    if (!network) throw new Error("not in the table");
    const message = { from: payer.address, to, value, validAfter: valid_after_s, validBefore: valid_before_s, nonce };
    const primaryType = "TransferWithAuthorization";
    const types = TRANSFER_WITH_AUTHORIZATION;
    const given: string = hashTypedData({ domain: usdcDomain(network), types, primaryType, message });
    expect(given).toBe(`0x${digest.toString("hex")}`);
    const { signature } = await signTestTransfer(payer, TRANSFER);
    expect(await recoverAddress({ hash: `0x${digest.toString("hex")}`, signature })).toBe(payer.address);
  });

  test("equals the known signature of a published key on the main network", async () => {
    const account = privateKeyToAccount("0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d");
    const domain = { name: "USD Coin", version: "2", chainId: 8453 };
    const asset = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    const { signature }: { signature: string } = await signTestTransfer(account, {
      ...TRANSFER,
      domain,
      asset,
      valid_before_s: 1_893_456_000n,
    });
    expect(signature).toBe(
      "0xe5603d43eb0f819a8060d809ccf476ce659be1de252265e5d38c6bcd3e22686b" +
        "3e40eb11848f79f679e9aa7ce14f5f797a2eaae8eee1a323d97c86a47be12ec11c",
    );
  });
});
