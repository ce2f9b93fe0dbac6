import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { compactVerify, importJWK } from "jose";
import { networkById } from "../../src/payments/networks/table.ts";
import { verifyPeer } from "../../src/trust/verify-peer.ts";
import { fetchPeer } from "../../src/upstream/fetch-peer.ts";
import { type MoneyNode, startMoneyNode, WALLETS } from "../helpers/money-node.ts";

type Answer = Record<string, unknown>;
interface Claims extends Answer {
  readonly manifest: { readonly url: string; readonly sha256: string; readonly jws: string };
  readonly wallets: readonly Answer[];
  readonly how_to_verify: readonly string[];
}

const PATH = "/.well-known/verify-manifest";
let money: MoneyNode;
let claims: Claims;
beforeAll(async () => {
  money = await startMoneyNode();
  await money.node.settled;
  claims = (await (await fetch(`${money.url}${PATH}`)).json()) as Claims;
});
afterAll(() => money.stop());

test("it signs exactly the manifest that is served, with the key of the DID document", async () => {
  const manifest = await fetch(claims.manifest.url, { headers: { "accept-encoding": "identity" } });
  const text = await manifest.text();
  const sha256 = createHash("sha256").update(text).digest();
  expect(claims.manifest.sha256).toBe(sha256.toString("hex"));
  expect(manifest.headers.get("repr-digest")).toBe(`sha-256=:${sha256.toString("base64")}:`);
  expect(canonicalize(JSON.parse(text))).toBe(text);

  const did = (await (await fetch(`${money.url}/.well-known/did.json`)).json()) as {
    id: string;
    verificationMethod: { id: string; publicKeyJwk: Answer }[];
  };
  const [method] = did.verificationMethod;
  const key = await importJWK({ ...method?.publicKeyJwk }, "EdDSA");
  const { payload, protectedHeader } = await compactVerify(claims.manifest.jws, key);
  expect(protectedHeader).toEqual({ alg: "EdDSA", kid: method?.id ?? "" });
  expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({
    v: 1,
    origin: money.url,
    node_id: claims.node_id,
    manifest_url: claims.manifest.url,
    manifest_sha256: claims.manifest.sha256,
  });
  expect(claims).toMatchObject({ v: 1, sandbox: true, origin: money.url, did: did.id, retired_keys: [] });
  expect(claims.node_key).toBe(`ed25519:${method?.publicKeyJwk.x}`);
});

test("in a sandbox no address is proven", () => {
  expect(claims.wallets).toEqual([
    { network: "eip155:84532", address: WALLETS.base, status: "unproven" },
    { network: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", address: WALLETS.solana, status: "unproven" },
    { network: "algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe", address: WALLETS.algorand, status: "unproven" },
  ]);
});

test("the steps are there as text, with this node's own values", async () => {
  const text = await fetch(`${money.url}${PATH}?format=text`);
  expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const body = await text.text();
  for (const step of claims.how_to_verify) expect(body).toContain(step);
  for (const value of [claims.manifest.sha256, money.url, String(claims.node_id)]) expect(body).toContain(value);
  expect(await (await fetch(`${money.url}${PATH}?format=json`)).json()).toEqual(claims);
  const wrong = await fetch(`${money.url}${PATH}?format=xml`);
  expect([wrong.status, ((await wrong.json()) as Answer).code]).toEqual([422, "invalid_parameter"]);
});

test("a whole check over the network finds nothing wrong, and nothing proven about the addresses", async () => {
  const report = await verifyPeer(money.url, {
    ask: fetchPeer,
    isSignedByWallet: async () => false,
    networkOf: (id) => networkById(id)?.id ?? null,
    now_ms: money.clock.now(),
  });
  expect(report.steps.filter(({ state }) => state === "failed")).toEqual([]);
  expect(report).toMatchObject({ verdict: "partial", sandbox: true, node_id: claims.node_id });
  expect(report.payees).toHaveLength(3);
});
