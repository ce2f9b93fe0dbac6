import { expect, test } from "bun:test";
import { generateKeyPairSync, sign } from "node:crypto";
import { getSignedText } from "./record-chain.ts";
import { isSignedText } from "./signed-text.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** The same bytes in another text: the last letter's spare bits set. */
const alias = (text: string): string => text.slice(0, -1) + LETTERS[LETTERS.indexOf(text.at(-1) ?? "") + 1];

test("a key and a signature have one text each", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const public_key = String(publicKey.export({ format: "jwk" }).x);
  const signature = sign(null, Buffer.from(getSignedText("kind", "text")), privateKey).toString("base64url");
  const signed = { kind: "kind", text: "text", signature, public_key };
  expect(isSignedText(signed)).toBe(true);
  for (const [name, value] of [
    ["signature", signature],
    ["public_key", public_key],
  ] as const) {
    expect(Buffer.from(alias(value), "base64url")).toEqual(Buffer.from(value, "base64url"));
    expect(isSignedText({ ...signed, [name]: alias(value) })).toBe(false);
  }
});
