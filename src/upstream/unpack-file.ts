import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createInflateRaw } from "node:zlib";
import type { Unpacking } from "../catalog/request.ts";
import { findData, findMember, LOCAL_BYTES, readZipDirectory, ZIP_STORED, type ZipMember } from "./zip-directory.ts";

/** The end of an archive with its directory: enough for 10,000 members with long names. */
const TAIL_BYTES_MAX = 4_000_000;

/** Counts and hashes the output of a decompressor, and ends it at the limit. */
function createMeter(bytes_max: number) {
  const seen = { bytes: 0, crc32: 0 };
  const stream = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      seen.bytes += chunk.byteLength;
      seen.crc32 = Bun.hash.crc32(chunk, seen.crc32);
      if (seen.bytes > bytes_max) done(new RangeError(`it unpacks to more than ${bytes_max} bytes`));
      else done(null, chunk);
    },
  });
  return { seen, stream };
}

/** The reason why a decompressor failed. Its own messages may quote the data. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return error.message;
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR") return "it is truncated";
  if (code.startsWith("Z_")) return `it is damaged (${code})`;
  throw error;
}

async function readAt(handle: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, at);
  return bytes.subarray(0, bytesRead);
}

/** Finds the wanted member and the start of its data, or the reason why it does not exist. */
async function locateMember(file: string, wanted: string | RegExp | undefined) {
  const handle = await open(file, "r");
  try {
    const { size } = await handle.stat();
    const at = Math.max(0, size - TAIL_BYTES_MAX);
    const directory = readZipDirectory({ at, bytes: await readAt(handle, at, size - at) });
    const member = typeof directory === "string" ? directory : findMember(directory, wanted);
    if (typeof member === "string") return member;
    const data_at = findData(member, await readAt(handle, member.header_at, LOCAL_BYTES));
    return data_at === undefined ? "the ZIP's directory is damaged" : { member, data_at };
  } finally {
    await handle.close();
  }
}

const read = (file: string, data_at: number, { packed_bytes }: ZipMember) =>
  createReadStream(file, packed_bytes === 0 ? { end: -1 } : { start: data_at, end: data_at + packed_bytes - 1 });

/**
 * Removes one layer of compression from a file, as a stream, so that memory does not grow with it. Output beyond the
 * limit, or incomplete output, is refused.
 * @returns the reason for a refusal, or undefined.
 */
export async function unpackFile(from: string, to: string, step: Unpacking): Promise<string | undefined> {
  const { seen, stream } = createMeter(step.bytes_max);
  const target = createWriteStream(to, { flags: "wx", mode: 0o600, flush: true });
  try {
    if (step.kind === "gzip") {
      await pipeline(createReadStream(from), createGunzip(), stream, target);
      return undefined;
    }
    const located = await locateMember(from, step.member);
    if (typeof located === "string") {
      target.destroy();
      return located;
    }
    const { member, data_at } = located;
    const source = read(from, data_at, member);
    if (member.method === ZIP_STORED) await pipeline(source, stream, target);
    else await pipeline(source, createInflateRaw(), stream, target);
    const is_whole = seen.bytes === member.bytes && seen.crc32 === member.crc32;
    return is_whole ? undefined : "the member of the ZIP is damaged";
  } catch (error) {
    return reasonOf(error);
  }
}
