import { createHmac, randomBytes } from "node:crypto";
import { sha256Hex } from "./hash.ts";
import { assertKeyBytes } from "./secrets.ts";

const PREFIX = "ink_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^43 is the first power above 2^256. */
const CHARS = 43;
const FORM = /^ink_[0-9A-Za-z]{43}$/;

/** Whether a text has the form of an API key; it need not be a key that exists. */
export const isApiKeyForm = (text: string): boolean => FORM.test(text);

/** An API key from 32 secret bytes. */
function renderApiKey(bytes: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  for (let index = 0; index < CHARS; index++) {
    text = `${ALPHABET[Number(rest % 62n)]}${text}`;
    rest /= 62n;
  }
  return `${PREFIX}${text}`;
}

/** What is stored of a key: 256 random bits cannot be recovered from it. Hex. */
export const hashApiKey = (key: string): string => sha256Hex(key);

/**
 * Keys are made from the node's secret and a salt, so that a purchase whose answer was lost can be answered again. Once
 * the salt is dropped, the key exists only with its holder.
 */
export interface ApiKeys {
  newSalt(): Uint8Array;
  /** The key of a salt: the same one every time. */
  derive(salt: Uint8Array): string;
  /**
   * The key that was made of a salt and is stored as this hash, even if the node had another secret then. Null when
   * no secret of the node produces it.
   */
  recover(salt: Uint8Array, hash_hex: string): string | null;
  /** The keys that a salt makes: of the node's secret, then of those before it. */
  listFor(salt: Uint8Array): readonly string[];
}

/**
 * @param secret at least 32 bytes only this node knows.
 * @param earlier the secrets before it, newest first.
 * @throws RangeError when one of them is too short.
 */
export function createApiKeys(secret: Uint8Array, earlier: readonly Uint8Array[] = []): ApiKeys {
  for (const one of [secret, ...earlier]) assertKeyBytes(one, "API keys");
  const deriveWith = (from: Uint8Array, salt: Uint8Array) =>
    renderApiKey(createHmac("sha256", from).update("intel-node api key\n").update(salt).digest());
  const listFor = (salt: Uint8Array) => [secret, ...earlier].map((one) => deriveWith(one, salt));
  return {
    newSalt: () => randomBytes(32),
    derive: (salt) => deriveWith(secret, salt),
    recover: (salt, hash_hex) => listFor(salt).find((key) => hashApiKey(key) === hash_hex) ?? null,
    listFor,
  };
}

const HELD = new RegExp(`(?:^|[^0-9A-Za-z])${PREFIX}`);

/** Whether a text holds what begins like an API key: alone, or after a name or another mark. */
export const holdsAPIKey = (text: string): boolean => HELD.test(text);
