import { expect, test } from "bun:test";
import { checksumAddress, isAddress } from "./eth-address.ts";

// The examples of EIP-55.
const VECTORS = [
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

test.each(VECTORS)("%s has the checksum of EIP-55", (address) => {
  expect(checksumAddress(address.toLowerCase())).toBe(address);
  expect(isAddress(address)).toBe(true);
});

test("one flipped letter is noticed, one-case addresses pass", () => {
  expect(isAddress("0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")).toBe(false);
  expect(isAddress("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")).toBe(true);
  expect(isAddress("0x5aaeb6053f3e94c9b9a09f33669435e7ef1bea")).toBe(false);
});
