import { decodeText } from "./decode-text.ts";

/** The result of reading a body. */
export type BodyResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };
export type BytesResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: string };

/**
 * Passes a body on chunk by chunk up to a hard limit, counted after decompression, so that a small compressed body
 * cannot fill memory or disk. Network errors and aborts are thrown.
 * @returns the reason if the body was not read completely, or undefined.
 */
export async function drainBody(
  response: Response,
  bytes_max: number,
  take: (chunk: Uint8Array) => void | Promise<void>,
): Promise<string | undefined> {
  const too_long = `body over ${bytes_max} bytes`;
  if (Number(response.headers.get("content-length") ?? 0) > bytes_max) {
    await response.body?.cancel();
    return too_long;
  }
  let length = 0;
  const reader = response.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > bytes_max) {
      await reader.cancel();
      return too_long;
    }
    await take(value);
  }
  return undefined;
}

/** Reads a body into memory; see `drainBody`. */
export async function readBytes(response: Response, bytes_max: number): Promise<BytesResult> {
  const chunks: Uint8Array[] = [];
  const reason = await drainBody(response, bytes_max, (chunk) => void chunks.push(chunk));
  return reason === undefined ? { ok: true, bytes: Buffer.concat(chunks) } : { ok: false, reason };
}

/** Reads a body of UTF-8 text; see `drainBody`. */
export async function readBody(response: Response, bytes_max: number): Promise<BodyResult> {
  const read = await readBytes(response, bytes_max);
  return read.ok ? decodeText(read.bytes) : read;
}
