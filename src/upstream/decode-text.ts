import type { Charset } from "../catalog/request.ts";

/** A text, or the reason why the bytes are not valid in that charset. */
export type Decoded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/** Labels of the WHATWG Encoding Standard; "latin1" is Windows-1252 there, as publishers mean it. */
const LABELS: Readonly<Record<Charset, Bun.Encoding>> = {
  "utf-8": "utf-8",
  latin1: "windows-1252",
  "utf-16": "utf-16le",
};

/** The charset stated by a byte order mark, which is read only if UTF-16 is expected. */
function labelOf(bytes: Uint8Array, charset: Charset): Bun.Encoding {
  return charset === "utf-16" && bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : LABELS[charset];
}

function decodeAs(bytes: Uint8Array, label: Bun.Encoding): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const isASCII = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80);

/**
 * Decodes strictly, because replacement characters would be invented data. Any bytes can be read as latin1, so valid
 * UTF-8 beyond ASCII is refused there: latin1 text is hardly ever valid UTF-8, and "São" must not become "SÃ£o".
 */
export function decodeText(bytes: Uint8Array, charset: Charset = "utf-8"): Decoded {
  if (charset === "latin1" && !isASCII(bytes) && decodeAs(bytes, "utf-8") !== undefined) {
    return { ok: false, reason: "body is UTF-8 where latin1 is due" };
  }
  const text = decodeAs(bytes, labelOf(bytes, charset));
  return text === undefined ? { ok: false, reason: `body is not ${charset.toUpperCase()} text` } : { ok: true, text };
}
