import { describe, expect, test } from "bun:test";
import { createHash, createPrivateKey } from "node:crypto";
import { base58 } from "@scure/base";
import { getPublicKeyFromAddress, signatureBytes, address as solanaAddress, verifySignature } from "@solana/kit";
import { Keypair } from "@solana/web3.js";
import algosdk from "algosdk";
import canonicalize from "canonicalize";
import { compactVerify, importJWK, SignJWT } from "jose";
import { type Hex, recoverMessageAddress, verifyMessage } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { seededIdentity, statementOf, VECTOR, type VectorWallet } from "../../test/helpers/ownership-vector.ts";
import { parseWalletStatement, renderWalletStatement } from "../core/wallet-statement.ts";
import { networkById } from "../payments/networks/table.ts";
import { checkSignedText } from "../payments/wallet-proof.ts";
import { manifestURL, signManifest } from "../surfaces/ownership.ts";
import { nodeKeyId, renderDIDDocument } from "./did.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest();
const [BASE, SOLANA, ALGORAND] = VECTOR.wallets;
const seed = (byte: number) => new Uint8Array(32).fill(byte);

describe("the published vector", () => {
  test("node key and id follow from the seed", () => {
    const identity = seededIdentity(1);
    expect([identity.public_key, identity.node_id]).toEqual([VECTOR.node_key, VECTOR.node_id]);
    const raw = Keypair.fromSeed(seed(1)).publicKey.toBytes();
    expect(Buffer.from(raw).toString("base64url")).toBe(VECTOR.node_key);
    expect(`in1${base58.encode(createHash("sha256").update(raw).digest().subarray(0, 16))}`).toBe(VECTOR.node_id);
  });

  test("addresses follow from the keys, by the chains' own libraries", () => {
    expect(privateKeyToAccount(VECTOR.base_key).address).toBe(BASE.address);
    expect(Keypair.fromSeed(seed(2)).publicKey.toBase58()).toBe(SOLANA.address);
    const { addr } = algosdk.mnemonicToSecretKey(algosdk.mnemonicFromSeed(seed(3)));
    expect(addr.toString()).toBe(ALGORAND.address);
  });

  test("the manifest is canonical, and its digests are those of its bytes", () => {
    expect(canonicalize(JSON.parse(VECTOR.manifest))).toBe(VECTOR.manifest);
    expect(sha256(VECTOR.manifest).toString("hex")).toBe(VECTOR.manifest_sha256);
    expect(`sha-256=:${sha256(VECTOR.manifest).toString("base64")}:`).toBe(VECTOR.repr_digest);
  });

  test("the node's claim is the same JWS byte for byte, made by us and by jose", async () => {
    const { sign, node_id, public_key, key_name } = seededIdentity(1);
    const node = { sign, node_id, public_key, key_name, public_url: VECTOR.origin };
    const changed_at = Date.parse(VECTOR.issued_at) / 1000;
    const model = { node: { ...node, name: "", brand: "", version: "", retired_keys: [] } };
    const contacts = { contact_email: null, security_contact: null };
    const full = { node: { ...model.node, ...contacts } };
    expect(signManifest(full, { text: VECTOR.manifest, changed_at })).toBe(VECTOR.jws);

    const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 1)]);
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    const payload = {
      issued_at: VECTOR.issued_at,
      manifest_sha256: VECTOR.manifest_sha256,
      manifest_url: manifestURL(VECTOR.origin),
      node_id: VECTOR.node_id,
      origin: VECTOR.origin,
      v: 1,
    };
    const kid = nodeKeyId(VECTOR.origin, "node-1");
    expect(await new SignJWT(payload).setProtectedHeader({ alg: "EdDSA", kid }).sign(key)).toBe(VECTOR.jws);
  });

  test("jose verifies the claim with the key of the DID document", async () => {
    const document = renderDIDDocument(VECTOR.origin, { name: "node-1", public_key: VECTOR.node_key });
    const [method] = document.verificationMethod as { publicKeyJwk: Record<string, string> }[];
    const key = await importJWK(method?.publicKeyJwk ?? {}, "EdDSA");
    const { payload, protectedHeader } = await compactVerify(VECTOR.jws, key);
    expect(protectedHeader).toEqual({ alg: "EdDSA", kid: "did:web:node.example.com#node-1" });
    expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({ manifest_sha256: VECTOR.manifest_sha256 });
  });
});

/** Verifies with the library a buyer of that chain would take. */
const INDEPENDENT: Readonly<Record<VectorWallet["wallet"], (text: string, signature: string) => Promise<boolean>>> = {
  base: async (text, signature) => verifyMessage({ address: BASE.address, message: text, signature: signature as Hex }),
  solana: async (text, signature) =>
    verifySignature(
      await getPublicKeyFromAddress(solanaAddress(SOLANA.address)),
      signatureBytes(base58.decode(signature)),
      Buffer.from(text),
    ),
  algorand: async (text, signature) =>
    algosdk.verifyBytes(Buffer.from(text), Buffer.from(signature, "base64"), ALGORAND.address),
};

/** One bit of one byte of a text. */
const flip = (text: string, at: number): string => {
  const bytes = Buffer.from(text);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString("latin1");
};

describe.each(VECTOR.wallets.map((one) => [one.wallet, one] as const))(
  "the statement of the wallet on %s",
  (_, one) => {
    const statement = statementOf(one);
    const isOurs = async (text: string, signature: string) =>
      (await checkSignedText({ wallet: one.wallet, address: one.address, text, signature })) !== null;

    test("has the published digest, and says what it is made of", () => {
      expect(sha256(statement).toString("hex")).toBe(one.sha256);
      const read = parseWalletStatement(statement);
      expect(read).toMatchObject({ origin: VECTOR.origin, node_key: VECTOR.node_key, address: one.address });
      expect(read && renderWalletStatement(read)).toBe(statement);
      expect(networkById(one.network)?.wallet).toBe(one.wallet);
    });

    test("is signed, as we and an independent library find", async () => {
      expect(await isOurs(statement, one.signature)).toBe(true);
      expect(await INDEPENDENT[one.wallet](statement, one.signature)).toBe(true);
    });

    test("is not signed with one bit of any byte turned", async () => {
      for (let at = 0; at < statement.length; at++) {
        expect([at, await isOurs(flip(statement, at), one.signature)]).toEqual([at, false]);
      }
    });

    test("is not signed by a signature with one bit of any byte turned", async () => {
      for (let at = 0; at < one.signature.length; at++) {
        expect([at, await isOurs(statement, flip(one.signature, at))]).toEqual([at, false]);
      }
    });

    test("has a signature over the bare origin beside it, where registries know such", async () => {
      if (one.origin_signature === null) {
        expect(one.wallet).toBe("algorand");
        return;
      }
      expect(await isOurs(VECTOR.origin, one.origin_signature)).toBe(true);
      expect(await INDEPENDENT[one.wallet](VECTOR.origin, one.origin_signature)).toBe(true);
      expect(await isOurs(`${VECTOR.origin}/`, one.origin_signature)).toBe(false);
      expect(await isOurs(VECTOR.origin, one.signature)).toBe(false);
    });
  },
);

test("a registry that recovers the address from the bare origin finds the one that is paid", async () => {
  const recovered = await recoverMessageAddress({ message: VECTOR.origin, signature: BASE.origin_signature as Hex });
  expect(recovered).toBe(BASE.address);
});
