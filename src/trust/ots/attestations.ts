/** An attestation of the time at which a message existed. */
export type Attestation =
  | { readonly kind: "pending"; readonly url: string }
  | { readonly kind: "bitcoin"; readonly height: number }
  | { readonly kind: "unknown"; readonly tag: string; readonly payload: Uint8Array };

export const TAG_BYTES = 8;
export const PAYLOAD_BYTES_MAX = 8_192;
const PENDING = "83dfe30d2ef90c8e";
const BITCOIN = "0588960d73d71901";
const URL_BYTES_MAX = 1_000;
/** Allowed characters of a calendar's address: no query, no fragment, no login. */
const URL_TEXT = /^[A-Za-z0-9\-._/:]{1,1000}$/;
/** A block every ten minutes for a thousand years. */
const HEIGHT_MAX = 100_000_000;
const GROUP = 0x80;

/** A number in the format's encoding: seven bits per byte, lowest first. */
export function writeNumber(value: number): readonly number[] {
  const bytes: number[] = [];
  let left = value;
  while (left >= GROUP) {
    bytes.push((left % GROUP) + GROUP);
    left = Math.floor(left / GROUP);
  }
  return [...bytes, left];
}

/** @returns the number and its end; null if it is truncated or too large. */
export function readNumber(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } | null {
  let value = 0;
  for (let place = 0; place < TAG_BYTES - 1; place += 1) {
    const byte = bytes[from + place];
    if (byte === undefined) return null;
    value += (byte % GROUP) * GROUP ** place;
    if (byte < GROUP) return Number.isSafeInteger(value) ? { value, end: from + place + 1 } : null;
  }
  return null;
}

/** @returns null if the payload is invalid for its tag. */
export function readAttestation(tag: string, payload: Uint8Array): Attestation | null {
  if (tag === PENDING) {
    const length = readNumber(payload, 0);
    if (length === null || length.value > URL_BYTES_MAX || length.end + length.value !== payload.length) return null;
    const url = Buffer.from(payload.subarray(length.end)).toString("latin1");
    return URL_TEXT.test(url) ? { kind: "pending", url } : null;
  }
  if (tag === BITCOIN) {
    const height = readNumber(payload, 0);
    if (height === null || height.end !== payload.length || height.value > HEIGHT_MAX) return null;
    return { kind: "bitcoin", height: height.value };
  }
  return { kind: "unknown", tag, payload };
}

export function writeAttestation(attestation: Attestation): Uint8Array {
  const [tag, payload] = partsOf(attestation);
  return Buffer.concat([Buffer.from(tag, "hex"), Uint8Array.from(writeNumber(payload.length)), payload]);
}

function partsOf(attestation: Attestation): readonly [tag: string, payload: Uint8Array] {
  switch (attestation.kind) {
    case "pending": {
      const url = Buffer.from(attestation.url, "latin1");
      return [PENDING, Buffer.concat([Uint8Array.from(writeNumber(url.length)), url])];
    }
    case "bitcoin":
      return [BITCOIN, Uint8Array.from(writeNumber(attestation.height))];
    case "unknown":
      return [attestation.tag, attestation.payload];
  }
}

/** The order in which attestations are written: by tag, then by content. */
export function compareAttestations(one: Attestation, other: Attestation): number {
  if (one.kind === "bitcoin" && other.kind === "bitcoin") return one.height - other.height;
  const [[tag, payload], [other_tag, other_payload]] = [partsOf(one), partsOf(other)];
  if (one.kind === "pending" && other.kind === "pending") return one.url < other.url ? -1 : Number(one.url > other.url);
  return tag === other_tag ? Buffer.compare(payload, other_payload) : tag < other_tag ? -1 : 1;
}
