/**
 * Signs a file as minisign does, or makes a key pair. A release is signed only on the machine that has the secret key.
 *
 *   bun src/tools/sign-release.ts keys DIR               writes release.key (mode 0600) and release.pub
 *   bun src/tools/sign-release.ts sign KEY FILE [NOTE]   writes FILE.minisig
 */
import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeSecretFile } from "../files/secret-file.ts";

/** The DER bytes before the 32 bytes of an Ed25519 private key (RFC 8410, section 7). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");
const RAW_BYTES = 32;

interface SecretKey {
  /** 8 bytes, hex. */
  readonly id: string;
  /** 32 bytes, hex. */
  readonly seed: string;
}

/** A key pair; the public half in minisign's form. */
export function createReleaseKeys(): { readonly secret: SecretKey; readonly public_key: string } {
  const id = randomBytes(8);
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const seed = privateKey.export({ format: "der", type: "pkcs8" }).subarray(-RAW_BYTES).toString("hex");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-RAW_BYTES);
  const public_key = Buffer.concat([Buffer.from("Ed"), id, raw]).toString("base64");
  return { secret: { id: id.toString("hex"), seed }, public_key };
}

/** The text of a minisign signature, prehashed. */
export function renderSignature(file: Uint8Array, { id, seed }: SecretKey, note: string): string {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seed, "hex")]), format: "der", type: "pkcs8" });
  const signature = sign(null, createHash("blake2b512").update(file).digest(), key);
  const global = sign(null, Buffer.concat([signature, Buffer.from(note)]), key);
  const line = Buffer.concat([Buffer.from("ED"), Buffer.from(id, "hex"), signature]).toString("base64");
  return `untrusted comment: intel-node release\n${line}\ntrusted comment: ${note}\n${global.toString("base64")}\n`;
}

function main([verb, first = "", second = "", note = ""]: readonly string[]): void {
  if (verb === "keys") {
    const { secret, public_key } = createReleaseKeys();
    writeSecretFile(join(first, "release.key"), `${JSON.stringify(secret)}\n`);
    writeFileSync(join(first, "release.pub"), `untrusted comment: intel-node release key\n${public_key}\n`);
  } else if (verb === "sign") {
    const secret = JSON.parse(readFileSync(first, "utf8")) as SecretKey;
    writeFileSync(`${second}.minisig`, renderSignature(readFileSync(second), secret, note));
  } else throw new Error("keys DIR, or sign KEY FILE [NOTE]");
}

if (import.meta.main) main(process.argv.slice(2));
