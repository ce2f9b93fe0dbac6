import { createHash } from "node:crypto";

/** Signs raw bytes with an Ed25519 key under a name. */
export interface NoteSigner {
  /** No blank and no plus in it. */
  readonly name: string;
  /** Raw, base64url. */
  readonly public_key: string;
  /** @returns base64url */
  readonly sign: (bytes: Uint8Array) => string;
}

/** The only kind of signature written here (C2SP signed-note). */
const ED25519 = 1;
const KEY_ID_BYTES = 4;

const keyOf = ({ public_key }: Pick<NoteSigner, "public_key">): Buffer =>
  Buffer.concat([Uint8Array.of(ED25519), Buffer.from(public_key, "base64url")]);

/** The first bytes of a hash over name and key: it tells signatures apart, and proves nothing. */
const keyIdOf = (signer: Pick<NoteSigner, "name" | "public_key">): Buffer =>
  createHash("sha256").update(`${signer.name}\n`).update(keyOf(signer)).digest().subarray(0, KEY_ID_BYTES);

/** As verifiers of notes are told a key. */
export const renderVerifierKey = (signer: Pick<NoteSigner, "name" | "public_key">): string =>
  `${signer.name}+${keyIdOf(signer).toString("hex")}+${keyOf(signer).toString("base64")}`;

/** @param text whole lines */
export function signNote(text: string, signer: NoteSigner): string {
  const signature = Buffer.from(signer.sign(Buffer.from(text, "utf8")), "base64url");
  const signed = Buffer.concat([keyIdOf(signer), signature]).toString("base64");
  return `${text}\n— ${signer.name} ${signed}\n`;
}
