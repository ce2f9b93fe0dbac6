import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { cleanUp, newPayer } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import { localPlugin, newNodeFolder, startRun, startUpstream, stopRuns } from "../helpers/run-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

const NETWORK = "eip155:84532";
const CANARY = "canary-facilitator-1f3d";
const MIB = 1_048_576;
type Reply = () => Response | Promise<Response>;

/** A facilitator of which a test writes every answer. */
function startScripted() {
  const valid: Reply = () => Response.json({ isValid: true, payer: "0x0000000000000000000000000000000000000001" });
  let transactions = 0;
  const settled: Reply = () => {
    transactions += 1;
    return Response.json({
      success: true,
      // A transaction pays once, so no two facilitators may name the same.
      transaction: `0x${Number(server.port).toString(16).padStart(8, "0")}${String(transactions).padStart(56, "0")}`,
      network: NETWORK,
    });
  };
  const script = { verify: valid, settle: settled };
  const calls = { verify: 0, settle: 0 };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/supported") {
        const kinds = [{ x402Version: 2, scheme: "exact", network: NETWORK }];
        return Response.json({ kinds, extensions: [], signers: {} });
      }
      const name = pathname === "/verify" ? "verify" : "settle";
      calls[name] += 1;
      return script[name]();
    },
  });
  const reset = () => {
    Object.assign(script, { verify: valid, settle: settled });
    Object.assign(calls, { verify: 0, settle: 0 });
  };
  return { url: `http://127.0.0.1:${server.port}`, script, calls, reset, stop: () => server.stop(true) };
}

/** Somebody the operator never named: whatever reaches it was given away. */
function startStranger() {
  const seen: { header: string | null; bytes: number }[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      seen.push({ header: request.headers.get("x-auth"), bytes: (await request.text()).length });
      return Response.json({ isValid: true, success: true, transaction: `0x${"e".repeat(64)}`, network: NETWORK });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, seen, stop: () => server.stop(true) };
}

/** A body that never ends by itself, in steps of 64 KiB; counts what was taken. */
function endless(taken: { bytes: number }): Response {
  const chunk = new Uint8Array(65_536).fill(32);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Enough for the rule below to break, and no more: the test must not take the machine's memory.
      if (taken.bytes >= 64 * MIB) return controller.close();
      taken.bytes += chunk.length;
      controller.enqueue(chunk);
      await Bun.sleep(0);
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

const [first, second, stranger, upstream] = [startScripted(), startScripted(), startStranger(), startUpstream()];
let node: Awaited<ReturnType<typeof startRun>>;

beforeAll(async () => {
  const entries = [first, second].map(({ url }) => `url = "${url}"\nheaders = { "x-auth" = "${CANARY}" }`);
  const where = newNodeFolder(entries, "", localPlugin(upstream.url));
  const limits = '[payments]\nverify_timeout = "2s"\nsettle_timeout = "3s"';
  writeFileSync(where.config, readFileSync(where.config, "utf8").replace("[payments]", limits));
  node = await startRun(where);
  await until(async () => (await fetch(`${node.url()}/local`)).status === 402, "an offer");
});
afterEach(() => {
  first.reset();
  second.reset();
  stranger.seen.length = 0;
});
afterAll(async () => {
  await stopRuns();
  await Promise.all([first.stop(), second.stop(), stranger.stop(), upstream.stop()]);
  await cleanUp();
});

const sign = async () => createPaymentPayload(await fetch(`${node.url()}/local`), newPayer());
const send = (header: string) => fetch(`${node.url()}/local`, { headers: { "PAYMENT-SIGNATURE": header } });
const settleWith =
  (body: unknown, status = 200): Reply =>
  () =>
    Response.json(body, { status });
const HEX = `0x${"a".repeat(64)}`;

describe("an answer that leaves open whether money moved is never asked of a second facilitator", () => {
  const cases: readonly [what: string, reply: Reply][] = [
    ["success without a transaction", settleWith({ success: true, transaction: "", network: NETWORK })],
    ["a number as transaction", settleWith({ success: true, transaction: 5, network: NETWORK })],
    ["null as transaction", settleWith({ success: true, transaction: null, network: NETWORK })],
    ["success as text", settleWith({ success: "yes", transaction: HEX, network: NETWORK })],
    ["success on another network", settleWith({ success: true, transaction: HEX, network: "eip155:8453" })],
    ["success on a network nobody knows", settleWith({ success: true, transaction: HEX, network: "eip155:0084532" })],
    ["success without a network", settleWith({ success: true, transaction: HEX })],
    ["success with the status of a failure", settleWith({ success: true, transaction: HEX, network: NETWORK }, 500)],
    ["a refusal on another network", settleWith({ success: false, transaction: "", network: "eip155:8453" })],
    ["an array", settleWith([])],
    ["an empty 204", () => new Response(null, { status: 204 })],
    ["a bad gateway", () => new Response("bad gateway", { status: 502 })],
    ["a pending settlement", settleWith({ success: false, errorReason: "settlement_pending", transaction: HEX })],
    ["a nonce already used", settleWith({ success: false, errorReason: "nonce_already_used", transaction: "" })],
    ["an answer that never ends", () => endless({ bytes: 0 })],
  ];
  test.each(cases)("%s", async (_what, reply) => {
    first.script.settle = reply;
    const header = await sign();
    const answer = await send(header);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("PAYMENT-REQUIRED")).toBeNull();
    expect(await answer.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
    // Nor is it posted again when the buyer comes straight back.
    const posted = first.calls.settle;
    expect((await send(header)).status).toBe(503);
    expect({ first: first.calls.settle, second: second.calls.settle }).toEqual({ first: posted, second: 0 });
  });
});

describe("a refusal of the facilitator", () => {
  const odd = `<img src=x>\u0000\r\nX-Evil: 1${"z".repeat(9_000)}`;

  test.each(["verify", "settle"] as const)("in %s cannot put its own text into our answer", async (step) => {
    const refusal = { isValid: false, invalidReason: odd, success: false, errorReason: odd, transaction: "" };
    first.script[step] = settleWith({ ...refusal, network: NETWORK });
    const answer = await send(await sign());
    expect(answer.status).toBe(402);
    expect(answer.headers.get("X-Evil")).toBeNull();
    const { diagnostic, charged } = (await answer.json()) as { diagnostic: { reason: string }; charged: boolean };
    expect(charged).toBe(false);
    expect(diagnostic.reason).toMatch(/^[A-Za-z0-9_.: -]{1,100}$/);
    expect(second.calls.settle).toBe(0);
  });

  test.each<[what: string, reply: Reply]>([
    ["isValid as text", settleWith({ isValid: "true" })],
    ["too many requests", () => new Response("slow down", { status: 429 })],
    ["an answer that never ends", () => endless({ bytes: 0 })],
  ])("is not %s: the next facilitator is asked and settles", async (_what, reply) => {
    first.script.verify = reply;
    expect((await send(await sign())).status).toBe(200);
    expect({ first: first.calls.settle, second: second.calls }).toEqual({ first: 0, second: { verify: 1, settle: 1 } });
  });
});

describe("what a facilitator says was settled is checked before it is booked", () => {
  test.each<[what: string, transaction: string]>([
    ["markup", "<script>alert(1)</script>"],
    ["a line break and a header", "0xabc\r\nX-Evil: 1"],
    ["a megabyte of text", "x".repeat(1_000_000)],
  ])("%s is no transaction", async (_what, transaction) => {
    first.script.settle = settleWith({ success: true, transaction, network: NETWORK });
    const answer = await send(await sign());
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: "settlement_unknown", charged: "unknown" });
  });

  test("one transaction pays for one sale only", async () => {
    first.script.settle = settleWith({ success: true, transaction: `0x${"b".repeat(64)}`, network: NETWORK });
    expect((await send(await sign())).status).toBe(200);
    expect((await send(await sign())).status).toBe(503);
  });
});

describe("a redirect of the facilitator", () => {
  test.each([302, 307])("(%i) hands neither the payment nor our key to a stranger", async (status) => {
    first.script.settle = () => Response.redirect(`${stranger.url}/settle`, status);
    const answer = await send(await sign());
    expect(stranger.seen).toEqual([]);
    expect(answer.status).toBe(503);
  });

  test.each([301, 303, 308])("(%i) in verify neither, and the next facilitator is asked", async (status) => {
    first.script.verify = () => Response.redirect(`${stranger.url}/verify`, status);
    expect((await send(await sign())).status).toBe(200);
    expect(stranger.seen).toEqual([]);
    expect(second.calls).toEqual({ verify: 1, settle: 1 });
  });

  test("to where nobody listens does not make the call one that was never sent", async () => {
    first.script.settle = () => Response.redirect("http://127.0.0.1:1/settle", 307);
    expect(await (await send(await sign())).json()).toMatchObject({ charged: "unknown" });
    expect(second.calls.settle).toBe(0);
  });
});

test("no more than 16 MiB of a facilitator's answer are read", async () => {
  const taken = { bytes: 0 };
  first.script.settle = () => endless(taken);
  expect((await send(await sign())).status).toBe(503);
  // What stands in buffers on the way counts too.
  expect(taken.bytes).toBeLessThan(16 * MIB);
});

test("after all this the node still sells", async () => {
  expect((await send(await sign())).status).toBe(200);
  expect((await fetch(`${node.url()}/readyz`)).status).toBe(200);
});
