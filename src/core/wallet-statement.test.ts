import { expect, test } from "bun:test";
import { parseWalletStatement, renderWalletStatement } from "./wallet-statement.ts";

const STATEMENT = {
  origin: "https://node.example.com",
  node_id: "in17Uhoi7PPzLUax2JtMkKRop",
  node_key: "iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w",
  network: "eip155:8453",
  address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  issued_at_ms: Date.parse("2026-11-20T00:00:00Z"),
  expires_at_ms: Date.parse("2027-11-20T00:00:00Z"),
};
const TEXT = renderWalletStatement(STATEMENT);

test("what a statement says is read from its own text", () => {
  expect(parseWalletStatement(TEXT)).toEqual(STATEMENT);
});

test.each([
  ["a line end after the last line", `${TEXT}\n`],
  ["a line more", `${TEXT}\naddress: x`],
  ["a line before it", `x\n${TEXT}`],
  ["Windows line ends", TEXT.replaceAll("\n", "\r\n")],
  ["an origin with a path", TEXT.replace(".com\n", ".com/\n")],
  ["a line inside a value", TEXT.replace("eip155:8453", "eip155:8453\naddress: 0x1")],
  ["another title", TEXT.replace("v1", "v2")],
  ["a day that does not exist", TEXT.replace("2027-11-20", "2027-02-30")],
  ["a month that does not exist", TEXT.replace("2027-11-20", "2027-13-20")],
  ["lines in another order", TEXT.split("\n").reverse().join("\n")],
])("%s makes it no statement", (_, text) => {
  expect(parseWalletStatement(text)).toBeNull();
});
