import { describe, expect, test } from "bun:test";
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { createLongHistory } from "../../test/helpers/long-history.ts";
import { createIdentity } from "../core/identity.ts";
import { readHistoryMoment } from "../records/history-trees.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { renderVerifierKey, signNote } from "./signed-note.ts";

/** Key, note and signature as the documentation of Go's sumdb/note has them. */
const GO = {
  vkey: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
  seed: "AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz",
  text: "If you think cryptography is the answer to your problem,\n" + "then you don't know what your problem is.\n",
  signature: "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=",
} as const;
const PKCS8_PREFIX = "302e020100300506032b657004220420";

test("a note is signed as Go's sumdb/note signs it, to the byte", () => {
  const seed = Buffer.from(GO.seed, "base64").subarray(1);
  const key = createPrivateKey({
    key: Buffer.from(PKCS8_PREFIX + seed.toString("hex"), "hex"),
    format: "der",
    type: "pkcs8",
  });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const signer = {
    name: "PeterNeumann",
    public_key: x,
    sign: (bytes: Uint8Array) => sign(null, bytes, key).toString("base64url"),
  };
  expect(renderVerifierKey(signer)).toBe(GO.vkey);
  expect(signNote(GO.text, signer)).toBe(`${GO.text}\n— PeterNeumann ${GO.signature}\n`);
});

describe("a checkpoint of a history", () => {
  const identity = createIdentity();
  test("names the log, its size and its root, and is signed by the node's key", async () => {
    const { records } = await createLongHistory(30);
    const checkpoints = createCheckpoints({ records, identity, now_ms: () => 0 });
    const note = await checkpoints.read("signals");
    const [origin, size, root, empty, signed] = note.split("\n");
    const { records_root } = await readHistoryMoment(records, "signals");
    expect([origin, size, root, empty]).toEqual([
      `intel-node/${identity.node_id}/signals`,
      "30",
      Buffer.from(records_root, "hex").toString("base64"),
      "",
    ]);
    const [dash, name, packed = ""] = (signed ?? "").split(" ");
    const bytes = Buffer.from(packed, "base64");
    const [, key_id, ...key] = checkpoints.verifierKeyOf("signals").split("+");
    expect([dash, name, bytes.subarray(0, 4).toString("hex")]).toEqual(["—", origin, key_id]);
    const x = Buffer.from(key.join("+"), "base64").subarray(1).toString("base64url");
    const public_key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const text = note.slice(0, note.indexOf("\n\n") + 1);
    expect(verify(null, Buffer.from(text), public_key, bytes.subarray(4))).toBe(true);
  });

  test("of a node without records is that of an empty tree; another chain has none", async () => {
    const { records } = await createLongHistory(0);
    const checkpoints = createCheckpoints({ records, identity, now_ms: () => 0 });
    const [, size, root] = (await checkpoints.read("theses")).split("\n");
    expect([size, root]).toEqual(["0", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]);
    expect(() => checkpoints.read("__proto__")).toThrow(TypeError);
  });
});
