import { describe, expect, test } from "bun:test";
import { serializeErc6492Signature } from "viem";
import { networkById } from "../table.ts";
import { checkEvmSignature } from "./check-signature.ts";
import { evmFamily } from "./index.ts";
import { renderKeySigned } from "./read.ts";

const NETWORK = networkById("eip155:8453") as NonNullable<ReturnType<typeof networkById>>;
/** Made with viem for the public test key 1 of Anvil. */
const R = "e5603d43eb0f819a8060d809ccf476ce659be1de252265e5d38c6bcd3e22686b";
const S = "3e40eb11848f79f679e9aa7ce14f5f797a2eaae8eee1a323d97c86a47be12ec1";
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HIGH_S = (ORDER - BigInt(`0x${S}`)).toString(16).padStart(64, "0");
const AUTHORIZATION = {
  from: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  to: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  value: "10000",
  validAfter: "0",
  validBefore: "1893456000",
  nonce: `0x${"11".repeat(32)}`,
};
const check = (signature: string, changes: Partial<typeof AUTHORIZATION> = {}) =>
  checkEvmSignature({ network: NETWORK, payload: { signature, authorization: { ...AUTHORIZATION, ...changes } } });

describe("the payer's own signature", () => {
  test.each(["1c", "1C", "01"])("is good with v %s", async (v) => {
    expect(await check(`0x${R}${S}${v}`)).toBe("yes");
  });

  test("is good in 64 bytes (EIP-2098)", async () => {
    const packed = (BigInt(`0x${S}`) | (1n << 255n)).toString(16);
    expect(await check(`0x${R}${packed}`)).toBe("yes");
  });

  test.each([
    ["s is in the upper half", `0x${R}${HIGH_S}1b`],
    ["s is in the upper half and v is 0", `0x${R}${HIGH_S}00`],
  ])("is refused, as the token would, when %s", async (_what, signature) => {
    expect(await check(signature)).toBe("no");
  });
});

describe("what may be a contract wallet's is for the chain to tell", () => {
  test.each([
    ["a signature of somebody else", `0x${R}${S}1b`],
    ["a form of v that recovers nothing", `0x${R}${S}1d`],
    ["66 bytes", `0x00${R}${S}1c`],
    ["64 bytes of somebody else", `0x${R}${S}`],
    ["v of 0, which makes it somebody else's", `0x${R}${S}00`],
    ["no point on the curve", `0x${"f".repeat(128)}1c`],
  ])("%s", async (_what, signature) => {
    expect(await check(signature)).toBe("ask");
  });

  test.each([
    ["amount", { value: "10001" }],
    ["recipient", { to: AUTHORIZATION.from }],
    ["payer", { from: AUTHORIZATION.to }],
    ["nonce", { nonce: `0x${"12".repeat(32)}` }],
    ["time", { validBefore: "1893456001" }],
  ])("the payer's signature under another %s", async (_what, changes) => {
    expect(await check(`0x${R}${S}1c`, changes)).toBe("ask");
  });
});

describe("a signature of a wallet that does not exist yet (ERC-6492)", () => {
  const MAGIC = "6492".repeat(16);
  const FACTORY = `0x${"22".repeat(20)}` as const;
  const wrap = (more: object = {}) =>
    serializeErc6492Signature({ address: FACTORY, data: "0xabcdef", signature: `0x${"11".repeat(65)}`, ...more });

  test("is for the chain to tell when it can be taken apart", async () => {
    expect(await check(wrap())).toBe("ask");
  });

  test.each<[string, string]>([
    ["nothing before its end", `0x${MAGIC}`],
    ["noise before its end", `0x${"ab".repeat(300)}${MAGIC}`],
    ["a plain signature before its end", `0x${R}${S}1c${MAGIC}`],
    ["lengths that lead out of it", wrap().replace("0000000000000060", "00000000ffffff60")],
    ["no factory", wrap({ address: `0x${"00".repeat(20)}` })],
    ["nothing to create it with", wrap({ data: "0x" })],
    ["no signature in it", wrap({ signature: "0x" })],
    ["another one in it", wrap({ signature: wrap() })],
    ["4 kB of zeros", `0x${"00".repeat(4_000)}${MAGIC}`],
  ])("is refused here with %s", async (_what, signature) => {
    expect(await check(signature)).toBe("no");
  });
});

test("only what a key signed is passed on in another spelling", () => {
  const payloadOf = (signature: string) => ({ signature, authorization: AUTHORIZATION });
  expect(renderKeySigned(payloadOf(`0x${R}${S}01`))).toEqual(payloadOf(`0x${R}${S}1c`));
  const taken = payloadOf(`0x${R}${S}1c`);
  expect(renderKeySigned(taken)).toBe(taken);
  // By their form these are no key's, or nobody checked yet that they are.
  expect(evmFamily.isKeySigned(taken)).toBe(true);
  for (const signature of [`0x${R}${S}01`, `0x${R}${S}`, `0x${R}${S}1d`]) {
    expect(evmFamily.isKeySigned(payloadOf(signature))).toBe(false);
  }
});
