import { afterAll, describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { createCDPAuth } from "./cdp-auth.ts";
import { createRemoteFacilitator } from "./remote.ts";

const NOW_MS = 1_800_000_000_500;
const KEY_ID = "organizations/1/apiKeys/2";
const CALL = { method: "POST", url: "https://api.cdp.coinbase.com/platform/v2/x402/verify?x=1" };

const ed = generateKeyPairSync("ed25519");
const { d = "", x = "" } = ed.privateKey.export({ format: "jwk" });
const ED_SECRET = Buffer.concat([Buffer.from(d, "base64url"), Buffer.from(x, "base64url")]).toString("base64");
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const PKCS8 = ec.privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const SEC1 = ec.privateKey.export({ format: "pem", type: "sec1" }).toString();

const create = (key_secret: string) => createCDPAuth({ key_id: KEY_ID, key_secret, now_ms: () => NOW_MS });

describe("a call to Coinbase's facilitator is signed for itself alone", () => {
  test.each([
    ["Ed25519", ED_SECRET, ed.publicKey, "EdDSA"],
    ["P-256 in PKCS#8", PKCS8, ec.publicKey, "ES256"],
    ["P-256 in SEC1", SEC1, ec.publicKey, "ES256"],
    ["P-256 on one line, as a variable holds it", PKCS8.replaceAll("\n", "\\n"), ec.publicKey, "ES256"],
  ])("%s", async (_what, secret, key, alg) => {
    const authorize = create(secret);
    const token = ((await authorize(CALL)).authorization ?? "").replace(/^Bearer /, "");
    const { payload } = await jwtVerify(token, key.export({ format: "jwk" }) as Parameters<typeof jwtVerify>[1], {
      currentDate: new Date(NOW_MS),
      algorithms: [alg],
    });
    expect(payload).toEqual({
      sub: KEY_ID,
      iss: "cdp",
      uris: ["POST api.cdp.coinbase.com/platform/v2/x402/verify"],
      iat: 1_800_000_000,
      nbf: 1_800_000_000,
      exp: 1_800_000_120,
    });
    const header = decodeProtectedHeader(token);
    expect(header).toMatchObject({ alg, kid: KEY_ID, typ: "JWT", nonce: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect((await authorize(CALL)).authorization).not.toBe(`Bearer ${token}`);
  });

  test.each([
    "",
    "secret",
    ED_SECRET.slice(4),
    generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
  ])("an invalid key is refused without being shown (%#)", (secret) => {
    expect(() => create(secret)).toThrow("CDP_API_KEY_SECRET is neither");
  });
});

describe("with it a facilitator's calls", () => {
  const seen: { path: string; uris: unknown }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const [, claims = ""] = (request.headers.get("authorization") ?? "").split(".");
      const { uris } = JSON.parse(Buffer.from(claims, "base64url").toString("utf8"));
      seen.push({ path: new URL(request.url).pathname, uris });
      return Response.json({ kinds: [], isValid: true, success: false, errorReason: "no", transaction: "" });
    },
  });
  afterAll(() => server.stop(true));
  const origin = `127.0.0.1:${server.port}`;
  const options = { id: "remote:cdp", kind: "remote", headers: {}, verify_timeout_ms: 2_000, settle_timeout_ms: 2_000 };
  const payment = {
    payload: {},
    requirement: {
      scheme: "exact",
      network: "eip155:8453",
      amount: "1",
      asset: "0x",
      payTo: "0x",
      maxTimeoutSeconds: 300,
      extra: {},
    },
    fee_payer: null,
  } as const;

  test("carry a token of their own each", async () => {
    const url = `http://${origin}/x402`;
    const facilitator = createRemoteFacilitator({ ...options, kind: "remote", url, authorize: create(ED_SECRET) });
    await facilitator.getSupported();
    await facilitator.verify(payment);
    await facilitator.settle(payment);
    expect(seen).toEqual(
      [
        ["GET", "/x402/supported"],
        ["POST", "/x402/verify"],
        ["POST", "/x402/settle"],
      ].map(([method, path = ""]) => ({ path, uris: [`${method} ${origin}${path}`] })),
    );
  });

  test("that cannot be signed are not made", async () => {
    const authorize = () => Promise.reject(new Error("secret-in-an-error"));
    const url = `http://${origin}/x402`;
    const facilitator = createRemoteFacilitator({ ...options, kind: "remote", url, authorize });
    const before = seen.length;
    const cause = "the call could not be signed";
    expect(await facilitator.settle(payment)).toEqual({ kind: "unseen", cause });
    expect(await facilitator.verify(payment)).toEqual({ kind: "unavailable", cause });
    expect(seen).toHaveLength(before);
  });
});
