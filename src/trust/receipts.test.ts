import { describe, expect, test } from "bun:test";
import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { createReceiptJWS, verifyReceiptSignatureJWS } from "@x402/extensions/offer-receipt";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createIdentity, readIdentity } from "../core/identity.ts";
import type { ReceiptRow } from "../ledger/receipts.ts";
import { nodeDID, nodeKeyId, renderDIDDocument } from "./did.ts";
import { createJWSSigner, isSignedBy, readJWS } from "./jws.ts";
import { createReceiptSigner } from "./receipts.ts";

const ROW: ReceiptRow = {
  seq: 7,
  id: "rcp_0001",
  network: "eip155:84532",
  chain_transaction: `0x${"ab".repeat(32)}`,
  product: "fear-greed",
  asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  amount: 10_000n,
  authorized: null,
  payer: "0x0000000000000000000000000000000000000001",
  pay_to: "0x0000000000000000000000000000000000000002",
  label: "organic",
  settled_at_ms: 1_763_596_800_123,
  request_sha256: "11".repeat(32),
  response_sha256: "22".repeat(32),
  node: null,
  on_chain: "pending",
};
const OPTIONS = { public_url: "https://node.example.com", sandbox: false };

/** The key of the seed that is 32 bytes of 0x01. */
const seeded = () => {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 1)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  return readIdentity(key.export({ format: "pem", type: "pkcs8" }).toString());
};

describe("receipts", () => {
  test("a receipt is the same text every time it is made, whatever the chain was found to hold since", () => {
    const identity = createIdentity();
    const [one, two] = [createReceiptSigner(identity, OPTIONS), createReceiptSigner(identity, OPTIONS)];
    const later: ReceiptRow = { ...ROW, on_chain: "confirmed" };
    expect(two.official(later)).toEqual(one.official(ROW));
    expect(two.own(later)).toEqual(one.own(ROW));
    const other: ReceiptRow = { ...ROW, id: "rcp_0002", payer: "0x0000000000000000000000000000000000000003" };
    expect(one.official(other)).not.toEqual(one.official(ROW));
    expect(one.own(ROW).signature).not.toBe(one.own({ ...ROW, amount: 10_001n }).signature);
  });

  test("the official receipt is what the official package writes, byte for byte", async () => {
    const identity = createIdentity();
    const now_s = Math.floor(Date.now() / 1000);
    const { network, payer, chain_transaction: transaction } = ROW;
    const theirs = await createReceiptJWS(
      { resourceUrl: "https://node.example.com/fear-greed", payer, network, transaction },
      {
        kid: nodeKeyId(OPTIONS.public_url, "node-1"),
        format: "jws",
        algorithm: "EdDSA",
        sign: async (bytes) => identity.sign(bytes),
      },
    );
    const issued_s = Number(readJWS(theirs.signature)?.payload.issuedAt);
    expect(issued_s).toBeWithin(now_s, Math.floor(Date.now() / 1000) + 1);
    const signer = createReceiptSigner(identity, OPTIONS);
    expect(signer.official({ ...ROW, settled_at_ms: issued_s * 1000 + 999 })).toEqual(theirs);
  });

  test("is an extension with info and the schema of it", () => {
    const { "offer-receipt": extension } = createReceiptSigner(createIdentity(), OPTIONS).settlementExtension(ROW);
    const { info, schema } = extension as { info: object; schema: object };
    expect(new Ajv2020({ strict: true }).validate(schema, info)).toBe(true);
  });

  test("the official package verifies it with the key of the DID document", async () => {
    const identity = createIdentity();
    const document = renderDIDDocument(OPTIONS.public_url, { name: "node-1", public_key: identity.public_key });
    const [method] = document.verificationMethod as { id: string; publicKeyJwk: Record<string, string> }[];
    const receipt = createReceiptSigner(identity, OPTIONS).official(ROW);
    const { kty = "", crv = "", x = "", alg = "" } = method?.publicKeyJwk ?? {};
    expect(await verifyReceiptSignatureJWS(receipt, { kty, crv, x, alg })).toMatchObject({
      version: 1,
      resourceUrl: "https://node.example.com/fear-greed",
      issuedAt: 1_763_596_800,
    });
    expect(method?.id).toBe(readJWS(receipt.signature)?.key_id ?? "");
  });

  test("our own receipt says what was asked, answered and paid, and that it is not real money in a sandbox", () => {
    const identity = createIdentity();
    const { payload } = readJWS(createReceiptSigner(identity, OPTIONS).own(ROW).signature) ?? {};
    expect(payload).toEqual({
      version: 1,
      node_id: identity.node_id,
      receipt_id: "rcp_0001",
      network: ROW.network,
      transaction: ROW.chain_transaction,
      asset: ROW.asset,
      amount_atomic: "10000",
      payer: ROW.payer,
      pay_to: ROW.pay_to,
      product: "fear-greed",
      resource_url: "https://node.example.com/fear-greed",
      settled_at: "2025-11-20T00:00:00.123Z",
      label: "organic",
      request_sha256: ROW.request_sha256,
      response_sha256: ROW.response_sha256,
    });
    const sandbox = createReceiptSigner(identity, { ...OPTIONS, sandbox: true }).own(ROW);
    expect(readJWS(sandbox.signature)?.payload.sandbox).toBe(true);
  });
});

describe("names", () => {
  test.each([
    ["https://node.example.com", "did:web:node.example.com"],
    ["http://127.0.0.1:8790", "did:web:127.0.0.1%3A8790"],
    ["http://localhost:80", "did:web:localhost"],
    ["https://[::1]:8402", "did:web:[%3A%3A1]%3A8402"],
  ])("%s is %s", (public_url, did) => {
    expect(nodeDID(public_url)).toBe(did);
  });
});

describe("signatures", () => {
  // RFC 7515 A.1 form, EdDSA; node seed 32 bytes of 0x01, made with jose.
  test("a known key and text give the known JWS", () => {
    const jws = createJWSSigner(
      seeded(),
      "did:web:node.example.com#node-1",
    )({
      v: 1,
      origin: "https://node.example.com",
      node_id: "in17Uhoi7PPzLUax2JtMkKRop",
      manifest_url: "https://node.example.com/.well-known/x402.json",
      manifest_sha256: "e2a7a3360299c86cffd646a5e903a3ec58aadd19a09fc31225f669cb904f4be0",
      issued_at: "2026-11-20T00:00:00Z",
    });
    expect(jws.slice(-87)).toBe(
      ".pFzI8YG4HRH2WzTRB0bAS5KSy7WMYeNNn8323hBR5D6HOuqHwmQRlEHV57YLKNJhvwEdE8gZIbh75pK308_jAg",
    );
  });

  test("one changed character anywhere is noticed", async () => {
    const identity = createIdentity();
    const jws = createReceiptSigner(identity, OPTIONS).own(ROW).signature;
    expect(await isSignedBy(jws, identity.public_key)).toBe(true);
    // The last character holds bits that are not part of the signature.
    for (let at = 0; at < jws.length - 1; at++) {
      const other = jws[at] === "A" ? "B" : "A";
      expect([at, await isSignedBy(jws.slice(0, at) + other + jws.slice(at + 1), identity.public_key)]).toEqual([
        at,
        false,
      ]);
    }
  });

  const identity = createIdentity();
  const jws = createReceiptSigner(identity, OPTIONS).own(ROW).signature;
  const [head = "", body = "", signature = ""] = jws.split(".");
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  test.each([
    ["nothing", ""],
    ["two parts", `${head}.${body}`],
    ["four parts", `${jws}.${signature}`],
    ["no signature", `${head}.${body}.`],
    ["a header that is no JSON", `AAAA.${body}.${signature}`],
    ["alg none", `${part({ alg: "none" })}.${body}.`],
    ["alg none with a signature", `${part({ alg: "none", kid: "x" })}.${body}.${signature}`],
    ["another algorithm", `${part({ alg: "HS256", kid: "x" })}.${body}.${signature}`],
    [
      "an unknown critical member",
      `${part({ alg: "EdDSA", kid: "x", crit: ["b64"], b64: false })}.${body}.${signature}`,
    ],
    ["a key of its own", `${part({ alg: "EdDSA", kid: "x", jwk: {} })}.${body}.${signature}`],
    ["binary rubbish", "\u0000\uffff.\u0000.\u0000"],
    ["a very long text", `${"A".repeat(100_000)}.AA.AA`],
  ])("%s is not signed by anybody", async (_, text) => {
    expect(await isSignedBy(text, identity.public_key)).toBe(false);
  });

  test("a signature by another key, or under an invalid key, is refused", async () => {
    expect(await isSignedBy(jws, createIdentity().public_key)).toBe(false);
    expect(await isSignedBy(jws, "AAAA")).toBe(false);
    expect(await isSignedBy(jws, "")).toBe(false);
  });

  test("a key that signs with another algorithm is refused even when it says EdDSA", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const signed = `${head}.${body}`;
    const made = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
    expect(await isSignedBy(`${signed}.${made.toString("base64url")}`, identity.public_key)).toBe(false);
  });
});
