import { type Static, Type } from "@sinclair/typebox";
import { createReader } from "../codec.ts";

/** As long as the longest payment header. */
const HEADER_CHARS_MAX = 12_288;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const Word = Type.String({ maxLength: 300 });
const Sent = Type.Object({
  domain: Word,
  address: Word,
  statement: Type.Optional(Type.String({ maxLength: 1_000 })),
  uri: Type.String({ maxLength: 2_000 }),
  version: Word,
  chainId: Word,
  type: Word,
  nonce: Word,
  issuedAt: Word,
  expirationTime: Type.Optional(Word),
  notBefore: Type.Optional(Word),
  requestId: Type.Optional(Word),
  resources: Type.Optional(Type.Array(Type.String({ maxLength: 2_000 }), { maxItems: 10 })),
  signatureScheme: Type.Optional(Word),
  signature: Type.String({ maxLength: 8_300 }),
});
const readSent = createReader(Sent);

/** A signed text as its client says it was: nothing of it is true yet. */
export type SentSignIn = Static<typeof Sent>;

/** Null for what is no such header. */
export function readSignIn(header: string): SentSignIn | null {
  if (header.length > HEADER_CHARS_MAX || !BASE64.test(header)) return null;
  try {
    return readSent(JSON.parse(Buffer.from(header, "base64").toString("utf8")));
  } catch {
    return null;
  }
}
