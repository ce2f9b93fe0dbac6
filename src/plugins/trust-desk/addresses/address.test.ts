import { expect, test } from "bun:test";
import { NodeError } from "../../../core/errors.ts";
import { readWallet } from "./address.ts";

const RONIN = "0x098b716b8aaf21512996dc57eb0615e2383e2f96";
const reasonFor = (text: string): string => {
  try {
    return `read as ${readWallet(text)}`;
  } catch (error) {
    return error instanceof NodeError ? error.message : String(error);
  }
};

test.each([
  "0x098B716B8Aaf21512996dC57EB0615e2383E2f96",
  "0X098B716B8AAF21512996DC57EB0615E2383E2F96",
  "098B716B8Aaf21512996dC57EB0615e2383E2f96",
  "eip155:1:0x098B716B8Aaf21512996dC57EB0615e2383E2f96",
  "ethereum:0x098B716B8Aaf21512996dC57EB0615e2383E2f96@1",
  "https://etherscan.io/address/0x098b716b8aaf21512996dc57eb0615e2383e2f96#code",
])("%s is the wallet", (text) => {
  expect(readWallet(text)).toBe(RONIN);
});

test.each([
  "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
  "3Lpoy53K625zVeE47ZasiG5jGkAxJ27kh1",
  "BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ",
  "42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi",
])("%s is a wallet unchanged", (text) => {
  expect(readWallet(text)).toBe(text);
});

test.each(["Lazarus Group", "Путин", "APT38", "3M", "Banco Nacional de Cuba", "defaced beef cafe"])(
  "%s is a name",
  (text) => {
    expect(readWallet(text)).toBeNull();
  },
);

test.each([
  ["149W62rY42aZBox8fGcmqNsXUzSStKeq8C", "checksum is wrong"],
  ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "checksum is wrong"],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T", "checksum is wrong"],
  ["0x098B716B8Aaf21512996dC57EB0615e2383E2f9", "40 digits"],
  ["0x098B716B8Aaf21512996dC57EB0615e2383E2f96f0", "40 digits"],
  ["1B64QRxfaa35MVkf7sDjuGUYAP5izQt7QI", "not in a known form"],
  ["Lazarus 0x098B716B8Aaf21512996dC57EB0615e2383E2f96", "other words"],
])("%s is refused: %s", (text, why) => {
  expect(reasonFor(text)).toContain(why);
});
