import { read } from "node:fs";
import { promisify } from "node:util";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { MANIFEST, snapshotKey } from "./copy-names.ts";
import type { CopyStore } from "./copy-store.ts";

const PART_BYTES = 4 * 1024 * 1024;
const FORMAT = "intel-node-copy/1";
const Digest = Type.String({ pattern: "^[0-9a-f]{64}$" });
const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** What is said of an image of the whole file; written last, so that an image that has one is whole. */
const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  generation: Type.String(),
  /** The ledger's owner; another one's copy is never continued. */
  owner: Type.String(),
  cut: whole,
  at_ms: whole,
  bytes: whole,
  page_bytes: whole,
  /** Of the file. */
  sha256: Digest,
  /** Of each part, packed. */
  parts: Type.Array(Digest),
  /** Where the generation before ended, as far as it is known. */
  before: Type.Union([
    Type.Null(),
    Type.Object({
      generation: Type.String(),
      cut: whole,
      /** Commits since then never reached the store; null if none is known to be lost. */
      lost_ms: Type.Union([whole, Type.Null()]),
    }),
  ]),
});
export type SnapshotManifest = Static<typeof Manifest>;

export type SnapshotFacts = Omit<SnapshotManifest, "format" | "sha256" | "parts">;

/** A digest in hex between two line ends. */
const DIGEST_LINE_BYTES = 66;

const readAsync = promisify(read);
const digestOf = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
const partKey = (key: string, index: number): string => `${key}/part-${String(index).padStart(6, "0")}`;

/**
 * Writes an image of a file that does not change meanwhile, part by part, and reads each part back.
 * @param isWanted asked before each part: false gives up.
 * @returns null when it was given up.
 * @throws Error of the store, or when a part that is read back differs from what was written.
 */
export async function writeSnapshot(
  store: CopyStore,
  facts: SnapshotFacts,
  { descriptor, isWanted }: { readonly descriptor: number; readonly isWanted: () => boolean },
): Promise<SnapshotManifest | null> {
  const key = snapshotKey(facts);
  const hasher = new Bun.CryptoHasher("sha256");
  const parts: string[] = [];
  for (let at = 0; at < facts.bytes; at += PART_BYTES) {
    const raw = await readPart(descriptor, at, Math.min(PART_BYTES, facts.bytes - at));
    if (!isWanted()) return null;
    hasher.update(raw);
    const packed = await Bun.zstdCompress(raw);
    const digest = digestOf(packed);
    const part = partKey(key, parts.length);
    await store.put(part, packed);
    if (digestOf(await store.get(part)) !== digest) throw new Error(`${part} is not what was written`);
    parts.push(digest);
  }
  if (!isWanted()) return null;
  const manifest: SnapshotManifest = { format: FORMAT, ...facts, sha256: hasher.digest("hex"), parts };
  await store.put(`${key}/${MANIFEST}`, packManifest(manifest));
  return manifest;
}

async function readPart(descriptor: number, from: number, bytes: number): Promise<Uint8Array> {
  const part = new Uint8Array(bytes);
  for (let done = 0; done < bytes; ) {
    const { bytesRead } = await readAsync(descriptor, part, done, bytes - done, from + done);
    if (bytesRead === 0) throw new Error("the ledger file is shorter than it was");
    done += bytesRead;
  }
  return part;
}

/** One line of JSON, and its SHA-256. */
const packManifest = (manifest: SnapshotManifest): Uint8Array => {
  const line = Buffer.from(JSON.stringify(manifest));
  return Buffer.concat([line, Buffer.from(`\n${digestOf(line)}\n`)]);
};

/** @throws Error when it is not a manifest, or differs from what was written. */
export async function readManifest(store: CopyStore, key: string): Promise<SnapshotManifest> {
  const bytes = await store.get(`${key}/${MANIFEST}`);
  const line = bytes.subarray(0, Math.max(0, bytes.length - DIGEST_LINE_BYTES));
  if (Buffer.from(bytes.subarray(line.length)).toString("latin1") !== `\n${digestOf(line)}\n`) {
    throw new Error("its bytes are not those that were written: it was cut off or changed");
  }
  return Value.Parse(Manifest, JSON.parse(Buffer.from(line).toString("utf8")));
}

/**
 * Reads an image part by part, each proved before it is given.
 * @throws Error when a part is missing or is not what was written.
 */
export async function readSnapshot(
  store: CopyStore,
  { key, manifest }: { readonly key: string; readonly manifest: SnapshotManifest },
  write: (bytes: Uint8Array) => void,
): Promise<void> {
  const hasher = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  for (const [index, digest] of manifest.parts.entries()) {
    const packed = await store.get(partKey(key, index));
    if (digestOf(packed) !== digest) throw new Error(`${partKey(key, index)} is not what was written`);
    const raw = new Uint8Array(await Bun.zstdDecompress(packed));
    hasher.update(raw);
    bytes += raw.length;
    write(raw);
  }
  if (bytes !== manifest.bytes || hasher.digest("hex") !== manifest.sha256) {
    throw new Error(`${key} is not the image that was written`);
  }
}
