import canonicalize from "canonicalize";

/** Lower-case hex SHA-256. */
export const sha256Hex = (data: string | Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(data).digest("hex");

/** Canonical JSON (RFC 8785): equal values give equal text. Throws on NaN and Infinity. */
export function canonicalJSON(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("value has no JSON form");
  return text;
}
