import { promisify } from "node:util";
import { gunzip, inflateRaw } from "node:zlib";
import type { ErrorMeaning, Unpacking } from "../catalog/request.ts";
import type { BytesResult } from "./read-body.ts";
import { findData, findMember, LOCAL_BYTES, readZipDirectory, ZIP_STORED, type ZipMember } from "./zip-directory.ts";

// Both run in a separate thread, so that no other call waits for them, and stop at the limit.
const inflateBytes = promisify<Uint8Array, { maxOutputLength: number }, Uint8Array>(inflateRaw);
const gunzipBytes = promisify<Uint8Array, { maxOutputLength: number }, Uint8Array>(gunzip);

/** The unpacked bytes, or the reason for a refusal; `means` if the request gives it a meaning. */
export type Unpacked = BytesResult & { readonly means?: ErrorMeaning };

const fail = (reason: string): BytesResult => ({ ok: false, reason });

/** A decompressor's error as a reason. Its own message may quote the body. */
function reasonOf(error: unknown, what: string, bytes_max: number): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (code === "ERR_BUFFER_TOO_LARGE") return `${what} unpacks to more than ${bytes_max} bytes`;
  if (code === "Z_BUF_ERROR") return `${what} is truncated`;
  if (typeof code === "string" && code.startsWith("Z_")) return `${what} is damaged (${code})`;
  throw error;
}

async function unpackGzip(bytes: Uint8Array, bytes_max: number): Promise<BytesResult> {
  try {
    return { ok: true, bytes: await gunzipBytes(bytes, { maxOutputLength: bytes_max }) };
  } catch (error) {
    return fail(reasonOf(error, "the gzip body", bytes_max));
  }
}

/** Extracts one member of an archive, without trusting the sizes that the archive states. */
async function inflateMember(archive: Uint8Array, member: ZipMember, bytes_max: number): Promise<BytesResult> {
  const what = "the member of the ZIP";
  const data_at = findData(member, archive.subarray(member.header_at, member.header_at + LOCAL_BYTES));
  const packed = archive.subarray(data_at, (data_at ?? 0) + member.packed_bytes);
  if (data_at === undefined || packed.length < member.packed_bytes) return fail(`${what} is truncated`);
  if (member.bytes > bytes_max) return fail(`${what} unpacks to more than ${bytes_max} bytes`);
  try {
    const bytes = member.method === ZIP_STORED ? packed : await inflateBytes(packed, { maxOutputLength: bytes_max });
    if (bytes.length !== member.bytes || Bun.hash.crc32(bytes) !== member.crc32) return fail(`${what} is damaged`);
    return { ok: true, bytes };
  } catch (error) {
    return fail(reasonOf(error, what, bytes_max));
  }
}

async function unpackOne(bytes: Uint8Array, step: Unpacking): Promise<Unpacked> {
  if (step.kind === "gzip") return unpackGzip(bytes, step.bytes_max);
  const directory = readZipDirectory({ at: 0, bytes });
  if (typeof directory === "string") return fail(directory);
  if (directory.length === 0 && step.empty_means) {
    return { ...fail("the archive holds no file"), means: step.empty_means };
  }
  const member = findMember(directory, step.member);
  return typeof member === "string" ? fail(member) : inflateMember(bytes, member, step.bytes_max);
}

/** Removes layers of compression one after the other. Incomplete output, or output beyond the limit, is refused. */
export async function unpack(bytes: Uint8Array, steps: readonly Unpacking[] = []): Promise<Unpacked> {
  let result: Unpacked = { ok: true, bytes };
  for (const step of steps) {
    if (!result.ok) return result;
    result = await unpackOne(result.bytes, step);
  }
  return result;
}
