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
import { renderTime } from "./clock.ts";
import {
  type PassingPurpose,
  parseKeyFile,
  type RetiredKeyEntry,
  renderKeyFile,
  SECRET_PURPOSES,
  type SecretPurpose,
} from "./key-file.ts";

/** The node's own Ed25519 key: what it signs with, and the name that follows from it. */
export interface NodeIdentity {
  /** "in1" + base58 of the first 16 bytes of SHA-256 of the raw public key. */
  readonly node_id: string;
  /** Raw 32-byte public key, base64url. */
  readonly public_key: string;
  /** "node-1": the fragment of its id in everything it signs. */
  readonly key_name: string;
  /** Keys it signed with before, newest first. */
  readonly retired: readonly RetiredNodeKey[];
  /** PKCS#8 PEM and what a rotation kept below it; written to disk by the caller, never logged. */
  readonly key_file: string;
  /** Ed25519 signature, base64url. */
  sign(message: Uint8Array): string;
  /** 32 secret bytes for one purpose, the same ones every time; nothing can be learned from them about the key. */
  deriveSecret(purpose: SecretPurpose | PassingPurpose): Uint8Array;
  /** The secrets for it that the keys before this one had, newest first, but for those that leaked. */
  earlierSecrets(purpose: SecretPurpose): readonly Uint8Array[];
}

/** The public half of a key the node signed with before. */
export interface RetiredNodeKey {
  readonly name: string;
  readonly node_id: string;
  readonly public_key: string;
  /** ISO 8601. */
  readonly retired_at: string;
  /** Somebody else may sign with it: what it signed proves nothing any more. */
  readonly compromised: boolean;
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
export const nodeIdOf = (public_key: Uint8Array): string =>
  `in1${base58.encode(createHash("sha256").update(public_key).digest().subarray(0, 16))}`;

/**
 * Reads the file a node's key is kept in.
 * @throws TypeError when it holds no Ed25519 private key, or is damaged.
 */
export function readIdentity(key_file: string): NodeIdentity {
  const { pem, history } = parseKeyFile(key_file);
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "ed25519") throw new TypeError("not an Ed25519 key");
  const raw = rawPublicKey(createPublicKey(key));
  const earlierSecrets = (purpose: SecretPurpose): readonly Uint8Array[] =>
    history.retired.flatMap(({ secrets }) => {
      const hex = secrets[purpose];
      return hex === undefined ? [] : [new Uint8Array(Buffer.from(hex, "hex"))];
    });
  return {
    node_id: nodeIdOf(raw),
    public_key: Buffer.from(raw).toString("base64url"),
    key_name: history.name,
    retired: history.retired.map(({ secrets: _, ...entry }) => ({
      ...entry,
      node_id: nodeIdOf(Buffer.from(entry.public_key, "base64url")),
    })),
    key_file,
    sign: (message) => sign(null, message, key).toString("base64url"),
    deriveSecret: (purpose) => new Uint8Array(hkdfSync("sha256", rawPrivateKey(key), "", `intel-node ${purpose}`, 32)),
    earlierSecrets,
  };
}

export const createIdentity = (): NodeIdentity =>
  readIdentity(generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString());

export interface KeyRotation {
  readonly now_ms: number;
  /** Somebody else may have the old key. */
  readonly compromised: boolean;
}

/**
 * The node with its next key. It keeps the old key's public half, and the secrets from which keys and coupons were
 * made, so that earlier buyers lose nothing. The old private key is dropped everywhere.
 */
export function rotateIdentity(
  old: NodeIdentity,
  next: NodeIdentity,
  { now_ms, compromised }: KeyRotation,
): NodeIdentity {
  if (next.public_key === old.public_key) throw new TypeError("the next key is the present one");
  const { pem } = parseKeyFile(next.key_file);
  const { history } = parseKeyFile(old.key_file);
  // With their secret alone coupons and challenges can be made; API keys need a salt from the books as well.
  const kept = compromised ? (["api keys"] as const) : SECRET_PURPOSES;
  const entry: RetiredKeyEntry = {
    name: old.key_name,
    public_key: old.public_key,
    retired_at: renderTime(now_ms),
    compromised,
    secrets: Object.fromEntries(
      kept.map((purpose) => [purpose, Buffer.from(old.deriveSecret(purpose)).toString("hex")]),
    ),
  };
  const name = `node-${Number(old.key_name.slice("node-".length)) + 1}`;
  return readIdentity(renderKeyFile({ pem, history: { version: 1, name, retired: [entry, ...history.retired] } }));
}
