import { expect, test } from "bun:test";
import { encodeFunctionResult, parseAbi, toFunctionSelector } from "viem";
import { GET_OWNERS, GET_THRESHOLD, readMultisig } from "./safe-views.ts";

const ABI = parseAbi([
  "function getThreshold() view returns (uint256)",
  "function getOwners() view returns (address[])",
]);
const OWNERS = [1, 2, 3].map((n): `0x${string}` => `0x${String(n).repeat(40)}`);
const wordsOf = (hex: string): readonly string[] => hex.slice(2).match(/.{64}/g) ?? [];
const threshold = (result: bigint) => wordsOf(encodeFunctionResult({ abi: ABI, functionName: "getThreshold", result }));
const owners = (result: readonly `0x${string}`[]) =>
  wordsOf(encodeFunctionResult({ abi: ABI, functionName: "getOwners", result }));

test("the selectors and answers are those of the ABI", () => {
  expect([GET_THRESHOLD, GET_OWNERS]).toEqual(ABI.map(toFunctionSelector) as never);
  expect(readMultisig(threshold(2n), owners(OWNERS))).toEqual({ threshold: 2, owners: 3 });
});

test("an answer that a multisig cannot give is refused", () => {
  for (const [one, other] of [
    [threshold(0n), owners(OWNERS)],
    [threshold(4n), owners(OWNERS)],
    [threshold(2n), owners(OWNERS).slice(0, -1)],
    [threshold(1n), [...owners([]), "f".repeat(64)]],
    [[], []],
    [null, null],
    [threshold(1n), threshold(1n)],
  ] as const) {
    expect(readMultisig(one, other)).toBeNull();
  }
});
