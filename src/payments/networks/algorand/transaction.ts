import { base32nopad } from "@scure/base";
import { sha512_256 } from "../../../core/algorand-address.ts";
import { encodeCanonical, encodeWithout, isMap, type MsgpackMap, parseMsgpackMap, type Value } from "./msgpack.ts";

/** One transaction of a group. */
export interface GroupMember {
  /** As it is signed: canonical msgpack. */
  readonly bytes: Uint8Array;
  /** By the names of the protocol: snd, fee, fv, lv, … */
  readonly fields: MsgpackMap;
  /** Hex of the 32-byte key; "" when it is absent. */
  readonly sender: string;
  /** `other`: a multisig or a logic signature. `auth` is set for an account that was rekeyed. */
  readonly signature: {
    readonly kind: "none" | "ed25519" | "other";
    readonly bytes: Uint8Array;
    readonly auth: boolean;
  };
  /** The whole member, canonical. */
  readonly whole: Uint8Array;
}

/** Either alphabet, padded or not. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const SIGNED_NAMES = new Set(["lsig", "msig", "sgnr", "sig", "txn"]);
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

export const numberOf = (fields: MsgpackMap, name: string): bigint | null => {
  const value = fields.get(name) ?? 0n;
  return typeof value === "bigint" ? value : null;
};
export const textOf = (fields: MsgpackMap, name: string): string | null => {
  const value = fields.get(name) ?? "";
  return typeof value === "string" ? value : null;
};
/** A 32-byte field in hex, "" when it is not there. */
export const keyOf = (fields: MsgpackMap, name: string): string => {
  const value: Value | undefined = fields.get(name);
  return value instanceof Uint8Array && value.length === KEY_BYTES ? Buffer.from(value).toString("hex") : "";
};

function readSignature(map: MsgpackMap): GroupMember["signature"] | null {
  const kinds = ["lsig", "msig", "sig"].filter((name) => map.has(name));
  const [kind] = kinds;
  if (kinds.length !== 1 || [...map.keys()].some((name) => !SIGNED_NAMES.has(name))) return null;
  const auth = map.has("sgnr");
  if (kind !== "sig") return { kind: "other", bytes: new Uint8Array(), auth };
  const bytes = map.get("sig");
  return bytes instanceof Uint8Array && bytes.length === SIGNATURE_BYTES ? { kind: "ed25519", bytes, auth } : null;
}

/**
 * Reads one member of a payment group: a signed transaction, or a transaction without a signature.
 * @returns null when it is not in the canonical form.
 */
export function parseMember(base64: string): GroupMember | null {
  if (!BASE64.test(base64)) return null;
  const whole = Buffer.from(base64, "base64");
  const map = parseMsgpackMap(whole);
  const inner = map?.get("txn");
  if (!map) return null;
  if (!inner) {
    const signature = { kind: "none", bytes: new Uint8Array(), auth: false } as const;
    return { bytes: whole, fields: map, sender: keyOf(map, "snd"), signature, whole };
  }
  const signature = readSignature(map);
  if (!isMap(inner) || !signature) return null;
  return { bytes: encodeCanonical(inner), fields: inner, sender: keyOf(inner, "snd"), signature, whole };
}

/** The transaction's id: base32 of SHA-512/256 over "TX" and the transaction without its signature. */
export const transactionId = ({ bytes }: GroupMember): string => base32nopad.encode(sha512_256("TX", bytes));

/** Hex of the group id that these transactions, in this order, have to carry. */
export function computeGroupId(members: readonly GroupMember[]): string {
  const hashes = members.map(({ fields }) => sha512_256("TX", encodeWithout(fields, "grp")));
  return sha512_256("TG", encodeCanonical(new Map([["txlist", hashes]]))).toString("hex");
}
