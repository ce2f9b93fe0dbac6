import { describe, expect, test } from "bun:test";
import { networkById } from "../../networks/table.ts";
import { gasCoinOf, isGasKey, parseGas, renderGas } from "./gas-coin.ts";

const network = (id: string) => networkById(id) as NonNullable<ReturnType<typeof networkById>>;
const BASE = network("eip155:8453");
const SOLANA = network("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp");
const ALGORAND = network("algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k");

describe("an amount of gas", () => {
  test.each([
    [BASE, "0.0005", 500_000_000_000_000n],
    [BASE, "1", 10n ** 18n],
    [BASE, "0.000000000000000001", 1n],
    [SOLANA, "0.01", 10_000_000n],
    [ALGORAND, "5", 5_000_000n],
    [ALGORAND, "0", 0n],
  ])("of %p is read exactly", (where, text, amount) => {
    expect(parseGas(text, gasCoinOf(where))).toBe(amount);
  });

  test.each(["", "-1", "1e3", ".5", "1.", "01", "0,5", "0.0000001"])("%j is not an amount", (text) => {
    expect(parseGas(text, gasCoinOf(ALGORAND))).toBeNull();
  });

  test.each([
    [0n, "0 ETH"],
    [1n, "0.000000000000000001 ETH"],
    [10n ** 15n, "0.001 ETH"],
    [1_234_567_890_123_456n, "0.00123456 ETH"],
    [25n * 10n ** 17n, "2.5 ETH"],
  ])("%p is written for people", (amount, text) => {
    expect(renderGas(amount, gasCoinOf(BASE))).toBe(text);
  });

  test("of the defaults is one", () => {
    for (const where of [BASE, SOLANA, ALGORAND]) {
      const coin = gasCoinOf(where);
      expect(parseGas(coin.min_gas, coin)).toBeGreaterThan(0n);
      expect(parseGas(coin.cap_per_hour, coin)).toBeGreaterThan(0n);
    }
  });
});

test("a gas key is recognized by its form, per chain", () => {
  const hex = "a".repeat(64);
  const numbers = `[${Array(64).fill(7).join(", ")}]`;
  const base64 = Buffer.alloc(64, 7).toString("base64");
  const words = Array(25).fill("abandon").join(" ");
  expect([hex, `0x${hex}`, `${hex}0`, numbers, base64, words].map((text) => isGasKey(BASE, text))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect([numbers, "3".repeat(88), hex.slice(1), base64].map((text) => isGasKey(SOLANA, text))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([base64, words, words.slice(8), hex].map((text) => isGasKey(ALGORAND, text))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
