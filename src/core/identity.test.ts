import { describe, expect, test } from "bun:test";
import { createPrivateKey, createPublicKey, verify } from "node:crypto";
import { createCouponCodes } from "../payments/coupons/coupon-codes.ts";
import { createApiKeys, hashApiKey } from "./api-key.ts";
import { createIdentity, type NodeIdentity, readIdentity, rotateIdentity } from "./identity.ts";
import { parseKeyFile } from "./key-file.ts";

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
  const identity = readIdentity(createIdentity().key_file);
  const message = Buffer.from("receipt");
  const jwk = { kty: "OKP", crv: "Ed25519", x: identity.public_key };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  expect(verify(null, message, key, Buffer.from(identity.sign(message), "base64url"))).toBe(true);
  expect(verify(null, Buffer.from("other"), key, Buffer.from(identity.sign(message), "base64url"))).toBe(false);
});

test("a key of another kind is refused", () => {
  expect(() => readIdentity("nonsense")).toThrow();
});

const ROTATION = { now_ms: Date.parse("2026-11-20T00:00:00Z"), compromised: false };
const rawPrivate = ({ key_file }: NodeIdentity): Buffer =>
  Buffer.from(String(createPrivateKey(parseKeyFile(key_file).pem).export({ format: "jwk" }).d), "base64url");

describe("a rotation", () => {
  const [one, two, three] = [createIdentity(), createIdentity(), createIdentity()];
  const second = rotateIdentity(one, two, ROTATION);
  const third = rotateIdentity(second, three, { ...ROTATION, compromised: true });

  test("gives the node the next key, its id and the next name", () => {
    const { public_key, node_id } = two;
    expect(second).toMatchObject({ key_name: "node-2", public_key, node_id });
    expect(third).toMatchObject({ key_name: "node-3", node_id: three.node_id });
    expect(third.retired).toEqual([
      {
        name: "node-2",
        node_id,
        public_key,
        retired_at: "2026-11-20T00:00:00Z",
        compromised: true,
      },
      {
        name: "node-1",
        node_id: one.node_id,
        public_key: one.public_key,
        retired_at: "2026-11-20T00:00:00Z",
        compromised: false,
      },
    ]);
  });

  test("keeps the secrets of every key before it, but not the key", () => {
    expect(third.earlierSecrets("api keys")).toEqual([two.deriveSecret("api keys"), one.deriveSecret("api keys")]);
    for (const old of [one, two]) {
      const raw = rawPrivate(old);
      expect(raw).toHaveLength(32);
      for (const form of ["hex", "base64", "base64url"] as const) {
        expect(third.key_file).not.toContain(raw.toString(form));
      }
      expect(third.key_file).not.toContain(parseKeyFile(old.key_file).pem.split("\n")[1] ?? "?");
    }
  });

  test("after a leak forgets what coupons could be forged with", () => {
    expect(third.earlierSecrets("coupons")).toEqual([one.deriveSecret("coupons")]);
  });

  test("survives being written and read", () => {
    const read = readIdentity(third.key_file);
    expect(read.retired).toEqual(third.retired);
    expect(read.earlierSecrets("api keys")).toEqual(third.earlierSecrets("api keys"));
    expect(read.sign(Buffer.from("x"))).toBe(three.sign(Buffer.from("x")));
  });

  test("to the present key is refused", () => {
    expect(() => rotateIdentity(second, two, ROTATION)).toThrow("the next key is the present one");
  });

  test.each([
    ["cut off", (text: string) => text.slice(0, -20)],
    ["with a second list", (text: string) => `${text}{}\n`],
    ["with another version", (text: string) => text.replace('"version":1', '"version":2')],
    ["with a short key", (text: string) => text.replace(/"public_key":"..../, '"public_key":"')],
  ])("a key file %s is refused, not read as a node without earlier keys", (_, damage) => {
    expect(() => readIdentity(damage(third.key_file))).toThrow("not a list of its earlier keys");
  });
});

describe("what was sold before a rotation", () => {
  const old = createIdentity();
  const now = rotateIdentity(old, createIdentity(), ROTATION);
  const keysOf = (one: NodeIdentity) => createApiKeys(one.deriveSecret("api keys"), one.earlierSecrets("api keys"));

  test("a key can still be recovered; one that no secret makes is not replaced by another", () => {
    const salt = keysOf(old).newSalt();
    const key = keysOf(old).derive(salt);
    expect(keysOf(now).recover(salt, hashApiKey(key))).toBe(key);
    expect(keysOf(now).derive(salt)).not.toBe(key);
    expect(keysOf(createIdentity()).recover(salt, hashApiKey(key))).toBeNull();
  });

  test("a coupon is good for the network it was given to, and for no other", () => {
    const codesOf = (one: NodeIdentity) =>
      createCouponCodes(one.deriveSecret("coupons"), one.earlierSecrets("coupons"));
    const coupon = codesOf(now).read(codesOf(old).mint("192.0.2.1", 2_000_000_000_000));
    if (!coupon) throw new Error("the coupon is not known");
    expect(codesOf(now).isFor(coupon, "192.0.2.1")).toBe(true);
    expect(codesOf(now).isFor(coupon, "192.0.2.2")).toBe(false);
    expect(codesOf(createIdentity()).read(codesOf(old).mint("192.0.2.1", 2_000_000_000_000))).toBeNull();
  });
});
