import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { networkById } from "../networks/table.ts";
import { ANSWER_BYTES_MAX } from "./http-call.ts";
import { createRemoteFacilitator } from "./remote.ts";
import type { PaymentToSettle } from "./types.ts";

const NETWORK = "eip155:84532";
const HEX = `0x${"a".repeat(64)}`;
const HEADERS = { "x-auth": "canary-remote-77aa" };

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly type: string | null;
  readonly auth: string | null;
  readonly body: unknown;
}
let seen: Seen[] = [];
let reply: () => Response | Promise<Response>;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const text = await request.text();
    seen.push({
      method: request.method,
      path: new URL(request.url).pathname,
      type: request.headers.get("content-type"),
      auth: request.headers.get("x-auth"),
      body: text === "" ? null : JSON.parse(text),
    });
    return reply();
  },
});
afterAll(() => server.stop(true));
beforeEach(() => {
  seen = [];
});

const url = `http://127.0.0.1:${server.port}/x402`;
const timeouts = { verify_timeout_ms: 2_000, settle_timeout_ms: 2_000 };
const ours = createRemoteFacilitator({ id: "remote:test", kind: "remote", url, headers: HEADERS, ...timeouts });
const keyed = { verify: HEADERS, settle: HEADERS, supported: HEADERS, bazaar: HEADERS };
const official = new HTTPFacilitatorClient({ url, timeoutMs: 2_000, createAuthHeaders: async () => keyed });

const PAYMENT: PaymentToSettle = {
  payload: { signature: "0x01", authorization: { nonce: "0x02" } },
  requirement: {
    scheme: "exact",
    network: NETWORK,
    amount: "1000",
    asset: networkById(NETWORK)?.asset ?? "",
    payTo: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
    maxTimeoutSeconds: 300,
    extra: { name: "USDC", version: "2" },
  },
  fee_payer: null,
  resource: { url: "http://127.0.0.1/a", description: "A.", mimeType: "application/json" },
};
type Verify = Parameters<HTTPFacilitatorClient["verify"]>;
const forOfficial = (): Verify => {
  const { payload, requirement: accepted, resource } = PAYMENT;
  return [{ x402Version: 2, accepted, payload, resource } as unknown as Verify[0], accepted as unknown as Verify[1]];
};
const says =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });

describe("what is sent is what the official client sends", () => {
  test.each(["verify", "settle"] as const)("to %s", async (call) => {
    reply = says({ isValid: true, success: true, transaction: HEX, network: NETWORK });
    await ours[call](PAYMENT);
    await official[call](...forOfficial());
    expect(seen).toHaveLength(2);
    expect(seen[0]).toEqual(seen[1] as Seen);
  });

  test("to ask what it supports", async () => {
    reply = says({ kinds: [{ x402Version: 2, scheme: "exact", network: NETWORK }], extensions: [], signers: {} });
    await ours.getSupported();
    await official.getSupported();
    expect(seen[0]).toEqual(seen[1] as Seen);
  });
});

describe("the official client reads the same", () => {
  test.each([200, 400, 402, 500])("in a refusal with status %i", async (status) => {
    reply = says({ isValid: false, invalidReason: "insufficient_funds" }, status);
    expect(await ours.verify(PAYMENT)).toEqual({ kind: "invalid", reason: "insufficient_funds" });
    const theirs = await official.verify(...forOfficial()).catch((error: unknown) => error);
    expect(theirs).toMatchObject({ invalidReason: "insufficient_funds" });

    reply = says({ success: false, errorReason: "invalid_payload", transaction: "", network: NETWORK }, status);
    expect(await ours.settle(PAYMENT)).toEqual({ kind: "refused", reason: "invalid_payload", transaction: "" });
    const settled = await official.settle(...forOfficial()).catch((error: unknown) => error);
    expect(settled).toMatchObject({ errorReason: "invalid_payload", transaction: "" });
  });

  test("in a success", async () => {
    reply = says({ success: true, transaction: HEX, network: NETWORK, payer: "0x1", errorReason: null });
    expect(await ours.settle(PAYMENT)).toEqual({ kind: "settled", transaction: HEX });
    expect(await official.settle(...forOfficial())).toMatchObject({ success: true, transaction: HEX });
  });

  test("in the list of kinds, of which only version 2 is kept", async () => {
    const extra = { feePayer: "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9" };
    const network = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
    const signers = { "solana:*": [extra.feePayer] };
    const kinds = [
      { x402Version: 2, scheme: "exact", network, extra },
      { x402Version: 1, scheme: "exact", network: "solana-devnet" },
      { x402Version: 2, scheme: "exact", network: NETWORK, extra: null },
    ];
    reply = says({ kinds, extensions: [], signers });
    const theirs = await official.getSupported();
    const expected = theirs.kinds.filter(({ x402Version }) => x402Version === 2);
    expect(await ours.getSupported()).toEqual({
      kinds: expected.map(({ scheme, network: id, extra: more }) => ({ scheme, network: id, extra: more ?? {} })),
      signers: theirs.signers,
      old_networks: ["solana-devnet"],
    });
  });
});

describe("a settlement is booked only when it can be one", () => {
  const settled = { success: true, transaction: HEX, network: NETWORK };
  test.each<[what: string, body: unknown, status: number]>([
    ["another network", { ...settled, network: "eip155:8453" }, 200],
    ["no network", { ...settled, network: undefined }, 200],
    ["a network by half its name", { ...settled, network: "eip155" }, 200],
    ["a transaction of another chain", { ...settled, transaction: "K".repeat(52) }, 200],
    ["a transaction with something behind it", { ...settled, transaction: `${HEX}\n` }, 200],
    ["no transaction", { ...settled, transaction: "" }, 200],
    ["success as text", { ...settled, success: "true" }, 200],
    ["success and the status of an outage", settled, 503],
    ["a list", [settled], 200],
  ])("%s leaves it unknown", async (_what, body, status) => {
    reply = says(body, status);
    expect((await ours.settle(PAYMENT)).kind).toBe("unknown");
  });

  test.each([NETWORK, "base-sepolia"])("%s means the network it is on", async (network) => {
    reply = says({ ...settled, network });
    expect(await ours.settle(PAYMENT)).toEqual({ kind: "settled", transaction: HEX });
  });

  test("an open outcome keeps a transaction only if it can be one", async () => {
    const open = { success: false, errorReason: "settlement_pending", network: NETWORK };
    reply = says({ ...open, transaction: HEX }, 500);
    expect(await ours.settle(PAYMENT)).toEqual({ kind: "unknown", cause: "settlement_pending", transaction: HEX });
    reply = says({ ...open, transaction: "<script>" }, 500);
    expect(await ours.settle(PAYMENT)).not.toHaveProperty("transaction");
  });

  test.each([
    "invalid_exact_evm_nonce_already_used",
    "duplicate_settlement",
    "invalid_exact_avm_settlement_failed",
    "invalid_exact_avm_confirmation_failed",
    "post_settlement_transfer_not_confirmed",
    "settle_exact_svm_block_height_exceeded",
    "invalid_exact_evm_transfer_event_mismatch",
    "unexpected_settle_error",
  ])("%s may mean that the first settle worked", async (errorReason) => {
    reply = says({ success: false, errorReason, transaction: "", network: NETWORK });
    expect(await ours.settle(PAYMENT)).toEqual({ kind: "unknown", cause: errorReason });
  });
});

test("the heads of every answer are reported, whatever it is", async () => {
  const told: (string | null)[] = [];
  const options = { id: "remote:heads", kind: "remote", url, headers: {}, ...timeouts } as const;
  const heard = createRemoteFacilitator({ ...options, onHeaders: (_url, headers) => told.push(headers.get("x-said")) });
  for (const [said, status] of [
    ["ok", 200],
    ["odd", 500],
    ["elsewhere", 302],
  ] as const) {
    reply = () => new Response("{}", { status, headers: { "x-said": said } });
    await heard.verify(PAYMENT);
  }
  expect(told).toEqual(["ok", "odd", "elsewhere"]);
});

describe("an answer", () => {
  const padded = (bytes: number) => {
    const text = JSON.stringify({ isValid: true });
    return () => new Response(text + " ".repeat(bytes - text.length));
  };

  test("of a megabyte is read, and one byte more is not", async () => {
    reply = padded(ANSWER_BYTES_MAX);
    expect(await ours.verify(PAYMENT)).toEqual({ kind: "valid" });
    reply = padded(ANSWER_BYTES_MAX + 1);
    expect(await ours.verify(PAYMENT)).toMatchObject({ kind: "unavailable" });
  });

  test("that is small only while it is compressed is measured after that", async () => {
    const bytes = Bun.gzipSync(Buffer.from(`{"isValid":true}${" ".repeat(ANSWER_BYTES_MAX)}`));
    expect(bytes.length).toBeLessThan(10_000);
    reply = () => new Response(bytes, { headers: { "content-encoding": "gzip" } });
    expect(await ours.verify(PAYMENT)).toMatchObject({ kind: "unavailable" });
  });

  test("that does not come in time leaves a settlement unknown, and a verify to somebody else", async () => {
    const quick = { verify_timeout_ms: 50, settle_timeout_ms: 50 };
    const hasty = createRemoteFacilitator({ id: "remote:hasty", kind: "remote", url, headers: {}, ...quick });
    reply = () => new Promise<Response>(() => {});
    expect(await hasty.settle(PAYMENT)).toEqual({ kind: "unknown", cause: "no answer in 50 ms" });
    expect(await hasty.verify(PAYMENT)).toEqual({ kind: "unavailable", cause: "no answer in 50 ms" });
  });

  test("that nobody gives, because nothing listens, was never asked for", async () => {
    const closed = createRemoteFacilitator({
      id: "remote:closed",
      kind: "remote",
      url: "http://127.0.0.1:1",
      headers: {},
      ...timeouts,
    });
    expect((await closed.settle(PAYMENT)).kind).toBe("unseen");
    expect((await closed.verify(PAYMENT)).kind).toBe("unavailable");
    await expect(closed.getSupported()).rejects.toThrow("/supported");
  });

  test.each([301, 302, 303, 307, 308])("with status %i is not followed", async (status) => {
    reply = () => Response.redirect(`http://127.0.0.1:${server.port}/elsewhere`, status);
    expect((await ours.settle(PAYMENT)).kind).toBe("unknown");
    expect((await ours.verify(PAYMENT)).kind).toBe("unavailable");
    const elsewhere = `http://127.0.0.1:${server.port}/elsewhere`;
    await expect(ours.getSupported()).rejects.toThrow(
      `a redirect (${status}) to ${elsewhere}, which is never followed`,
    );
    await expect(ours.getSupported()).rejects.toThrow(`write url = "${elsewhere}"`);
    expect(seen.map(({ path }) => path)).toEqual([
      "/x402/settle",
      "/x402/verify",
      "/x402/supported",
      "/x402/supported",
    ]);
  });

  test("a redirect says what to write, without its query, and nothing for an invalid address", async () => {
    const answer = (location: string) => () => new Response(null, { status: 308, headers: { location } });
    reply = answer("https://www.pay.example/x402/supported?token=s3cret");
    const told = await ours.getSupported().catch((error: Error) => error.message);
    expect(told).toEndWith('write url = "https://www.pay.example/x402"');
    expect(told).not.toContain("s3cret");
    for (const odd of ["javascript:alert(1)", `/${"x".repeat(200)}`]) {
      reply = answer(odd);
      await expect(ours.getSupported()).rejects.toThrow(/^\/supported: a redirect \(308\), which is never followed$/);
    }
  });

  test("in the facilitator's own words becomes one plain word; the rest is for the log, on one line", async () => {
    const text = `no\r\nX-Evil: 1 <b>${"z".repeat(5_000)}`;
    reply = says({ isValid: false, invalidReason: text, invalidMessage: text });
    const outcome = await ours.verify(PAYMENT);
    expect(outcome).toMatchObject({ kind: "invalid", reason: expect.stringMatching(/^[A-Za-z0-9_:.-]{1,80}$/) });
    expect(outcome).toMatchObject({ detail: expect.stringMatching(/^[ -~]{1,300}$/) });
  });

  test("that holds a few odd entries keeps the others", async () => {
    const kind = { x402Version: 2, scheme: "exact", network: NETWORK };
    reply = says({
      kinds: [5, null, { ...kind, network: 7 }, kind],
      signers: { "eip155:*": "0x1", "solana:*": ["a"] },
    });
    expect(await ours.getSupported()).toEqual({
      kinds: [{ scheme: "exact", network: NETWORK, extra: {} }],
      signers: { "eip155:*": [], "solana:*": ["a"] },
    });
    reply = says({ kinds: Array(501).fill(kind) });
    await expect(ours.getSupported()).rejects.toThrow("no list of kinds");
  });
});
