/** What reading a body came to. */
export type BodyResult = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** Strict UTF-8; undefined when the bytes are something else, because replacement characters would be invented data. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * Reads a body up to a hard limit, counted after decompression, so that a small compressed body cannot fill memory.
 * Network errors and aborts are thrown as they come.
 */
export async function readBody(response: Response, bytes_max: number): Promise<BodyResult> {
  const too_long = { ok: false, reason: `body over ${bytes_max} bytes` } as const;
  if (Number(response.headers.get("content-length") ?? 0) > bytes_max) {
    await response.body?.cancel();
    return too_long;
  }
  const chunks: Uint8Array[] = [];
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
    chunks.push(value);
  }
  const text = decode(Buffer.concat(chunks, length));
  return text === undefined ? { ok: false, reason: "body is not UTF-8 text" } : { ok: true, text };
}
