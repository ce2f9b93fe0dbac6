import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { base58 } from "@scure/base";

/** The node's own Ed25519 key: what it signs with, and the name that follows from it. */
export interface NodeIdentity {
  /** "in1" + base58 of the first 16 bytes of SHA-256 of the raw public key. */
  readonly node_id: string;
  /** Raw 32-byte public key, base64url. */
  readonly public_key: string;
  /** PKCS#8 PEM; written to disk by the caller, never logged. */
  readonly private_key_pem: string;
  /** Ed25519 signature, base64url. */
  sign(message: Uint8Array): string;
  /** 32 secret bytes for one purpose, the same ones every time; nothing can be learned from them about the key. */
  deriveSecret(purpose: string): Uint8Array;
}

const rawPublicKey = (key: KeyObject): Uint8Array => {
  const { x } = key.export({ format: "jwk" });
  if (typeof x !== "string") throw new TypeError("not an Ed25519 key");
  return Buffer.from(x, "base64url");
};

const rawPrivateKey = (key: KeyObject): Uint8Array => {
  const { d } = key.export({ format: "jwk" });
  if (typeof d !== "string") throw new TypeError("not an Ed25519 private key");
  return Buffer.from(d, "base64url");
};

/** The id of a raw 32-byte public key. */
const nodeIdOf = (public_key: Uint8Array): string =>
  `in1${base58.encode(createHash("sha256").update(public_key).digest().subarray(0, 16))}`;

/** @throws TypeError when the PEM is not an Ed25519 private key. */
export function readIdentity(private_key_pem: string): NodeIdentity {
  const key = createPrivateKey(private_key_pem);
  if (key.asymmetricKeyType !== "ed25519") throw new TypeError("not an Ed25519 key");
  const raw = rawPublicKey(createPublicKey(key));
  return {
    node_id: nodeIdOf(raw),
    public_key: Buffer.from(raw).toString("base64url"),
    private_key_pem,
    sign: (message) => sign(null, message, key).toString("base64url"),
    deriveSecret: (purpose) => new Uint8Array(hkdfSync("sha256", rawPrivateKey(key), "", `intel-node ${purpose}`, 32)),
  };
}

export const createIdentity = (): NodeIdentity =>
  readIdentity(generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString());
