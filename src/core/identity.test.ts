import { expect, test } from "bun:test";
import { createPublicKey, verify } from "node:crypto";
import { createIdentity, readIdentity } from "./identity.ts";

/** PKCS#8 wrapping of a raw Ed25519 seed (RFC 8410). */
const pemOfSeed = (seed: Uint8Array): string => {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
  return `-----BEGIN PRIVATE KEY-----\n${der.toString("base64")}\n-----END PRIVATE KEY-----\n`;
};

test("the node id follows from the key as published: seed of 32 times 0x01", () => {
  const identity = readIdentity(pemOfSeed(new Uint8Array(32).fill(1)));
  expect(identity.public_key).toBe("iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w");
  expect(identity.node_id).toBe("in17Uhoi7PPzLUax2JtMkKRop");
});

test("a new identity signs so that its public key verifies, and survives being read back", () => {
  const identity = readIdentity(createIdentity().private_key_pem);
  const message = Buffer.from("receipt");
  const jwk = { kty: "OKP", crv: "Ed25519", x: identity.public_key };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  expect(verify(null, message, key, Buffer.from(identity.sign(message), "base64url"))).toBe(true);
  expect(verify(null, Buffer.from("other"), key, Buffer.from(identity.sign(message), "base64url"))).toBe(false);
});

test("a key of another kind is refused", () => {
  expect(() => readIdentity("nonsense")).toThrow();
});
