import { createPrivateKey, randomBytes } from "node:crypto";

/** Headers that prove who makes one call. */
export type Authorize = (call: { readonly method: string; readonly url: string }) => Promise<Record<string, string>>;

export interface CDPAuthOptions {
  readonly key_id: string;
  /** 64 bytes in base64 (Ed25519: seed and public key), or a PEM (P-256). */
  readonly key_secret: string;
  readonly now_ms: () => number;
}

const LIFETIME_S = 120;

/**
 * Authorization of Coinbase's developer platform: a JWT for every call, good for that method, host and path alone.
 * Source: docs.cdp.coinbase.com/api-reference/v2/authentication.
 * @throws Error for an invalid key.
 */
export function createCDPAuth({ key_id, key_secret, now_ms }: CDPAuthOptions): Authorize {
  const { jwk, alg } = readKey(key_secret);
  return async ({ method, url }) => {
    const { SignJWT } = await import("jose");
    const { host, pathname } = new URL(url);
    const now_s = Math.floor(now_ms() / 1000);
    const token = await new SignJWT({ uris: [`${method} ${host}${pathname}`] })
      .setProtectedHeader({ alg, kid: key_id, typ: "JWT", nonce: randomBytes(16).toString("hex") })
      .setSubject(key_id)
      .setIssuer("cdp")
      .setIssuedAt(now_s)
      .setNotBefore(now_s)
      .setExpirationTime(now_s + LIFETIME_S)
      .sign(jwk);
    return { authorization: `Bearer ${token}` };
  };
}

function readKey(text: string) {
  const bytes = Buffer.from(text, "base64");
  if (/^[A-Za-z0-9+/]{86}==$/.test(text.trim()) && bytes.length === 64) {
    const [d, x] = [bytes.subarray(0, 32).toString("base64url"), bytes.subarray(32).toString("base64url")];
    return { jwk: { kty: "OKP", crv: "Ed25519", d, x } as const, alg: "EdDSA" };
  }
  const jwk = readPEM(text);
  if (jwk?.crv === "P-256") return { jwk: { ...jwk, kty: "EC" } as const, alg: "ES256" };
  throw new Error("CDP_API_KEY_SECRET is neither 64 bytes in base64 nor a P-256 key in PEM form");
}

function readPEM(text: string) {
  try {
    // In a variable the line breaks are often written as \n.
    return createPrivateKey(text.replaceAll("\\n", "\n")).export({ format: "jwk" });
  } catch {
    // The library's words may quote the key.
    return null;
  }
}
