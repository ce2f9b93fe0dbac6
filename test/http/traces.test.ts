import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AsyncResource } from "node:async_hooks";
import { get } from "node:http";
import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import { defineProvider } from "../../src/catalog/provider.ts";
import { defineSimulator } from "../../src/catalog/simulator.ts";
import { loadConfig } from "../../src/config/load.ts";
import { NodeError } from "../../src/core/errors.ts";
import { composeTracer } from "../../src/node/traces.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { startMoneyNode } from "../helpers/money-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

/** What a collector is told of one node, from its start to its stop. The operator's proxy is at 127.0.0.2. */
const PROXY = "127.0.0.2";
const CANARY = "canary-of-a-buyer";
const PROVIDER_KEY = "canary-of-the-operator";
const payer = newPayer();

const provider = defineProvider({
  id: "traced",
  title: "Traced",
  docs_url: "https://traced.example.com/docs",
  base_urls: ["https://traced.example.com"],
  key: { required: true, in: "query", name: "key" },
  terms: { class: "open", note: "A provider of the tests." },
  limits: { rate_per_s: 100, burst: 100, timeout_ms: 5_000, attempts: 1, body_bytes_max: 1_000 },
});
const simulator = defineSimulator({ provider: "traced", respond: () => ({ json: { n: 7 } }) });
const Answer = Type.Object({ n: Type.Number() });
const product = defineProduct({
  path: "/traced",
  title: "Traced",
  description: "A product of the tests.",
  category: "test",
  tags: ["test"],
  price_usd: "0.01",
  params: Type.Object({ q: Type.Optional(Type.String({ maxLength: 100 })) }),
  data: Answer,
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  providers: [provider],
  requires: [[provider]],
  ttl: "0s",
  deadline_ms: 60_000,
  preview: { every: "24h" },
  fetch: ({ get }, { q = "" }) => get(provider, { path: `/n?q=${q}`, schema: Answer, ttl_ms: 0 }),
  compute: (data, { now_ms }) => ({ as_of_ms: now_ms, data, warnings: [] }),
});

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}
interface Sent {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[] }[];
}

const bodies: string[] = [];
const collector = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    expect(new URL(request.url).pathname).toBe("/v1/traces");
    bodies.push(await request.text());
    return Response.json({});
  },
});

/** GETs from an address of this machine, with a trace that was begun there. */
const callFrom = (localAddress: string, url: string, trace: string, flags = "01"): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-${flags}` };
    get(url, { localAddress, headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    }).on("error", reject);
  });
const TRACES = { strangers: "1".repeat(32), proxys: "2".repeat(32), unsampled: "3".repeat(32) };

const readLoaded = (): readonly string[] =>
  Object.keys(require.cache).filter((file) => file.includes("@opentelemetry"));
const log = createLog({ level: "silent", format: "json", secrets: [] });
const off = loadConfig({ text: "", file: "test", env: {} });
/** Files of the SDK that were loaded with nothing configured, and with a collector. */
let loaded: { readonly off: readonly string[]; readonly on: readonly string[] } = { off: [], on: [] };
let spans: readonly SentSpan[] = [];

beforeAll(async () => {
  if (!off.ok) throw new Error(JSON.stringify(off.faults));
  expect(await composeTracer({ config: off.config, log, version: "0.0.0-test" })).toBeUndefined();
  const when_off = readLoaded();
  const node = await startMoneyNode(
    `[telemetry]\notlp = "http://127.0.0.1:${collector.port}"\n[providers.traced]\napi_key = "${PROVIDER_KEY}"`,
    undefined,
    { server: `trusted_proxies = ["${PROXY}"]`, products: [product], simulators: [simulator] },
  );
  loaded = { off: when_off, on: readLoaded() };
  const path = `${node.url}/traced?q=${CANARY}`;
  const payment = await createPaymentPayload(await fetch(path), payer);
  const paid = await fetch(path, { headers: { "PAYMENT-SIGNATURE": payment } });
  expect(paid.status).toBe(200);
  expect((await fetch(`${node.url}/nothing/${CANARY}`)).status).toBe(404);
  expect((await fetch(path, { headers: { "X-API-Key": `ink_${CANARY}` } })).status).toBe(402);
  expect(await callFrom("127.0.0.1", `${node.url}/get-pricing`, TRACES.strangers)).toBe(200);
  expect(await callFrom(PROXY, `${node.url}/get-pricing`, TRACES.proxys)).toBe(200);
  expect(await callFrom(PROXY, `${node.url}/get-pricing`, TRACES.unsampled, "00")).toBe(200);
  // What was not sent yet is sent at the stop.
  await node.stop();
  spans = bodies.flatMap((body) =>
    (JSON.parse(body) as Sent).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
});
afterAll(() => collector.stop(true));

const attributeOf = ({ attributes }: SentSpan, key: string): unknown => {
  const value = attributes.find((attribute) => attribute.key === key)?.value ?? {};
  return Object.values(value)[0];
};

describe("a node with a collector", () => {
  test("tells of a paid call as one tree", () => {
    const root = spans.find(
      (span) => attributeOf(span, "http.route") === "/traced" && attributeOf(span, "http.response.status_code") === 200,
    );
    expect(root).toMatchObject({ name: "GET /traced" });
    expect(root?.parentSpanId).toBeUndefined();
    const own = spans.filter(({ traceId }) => traceId === root?.traceId);
    const nameOf = (id: string | undefined) => own.find(({ spanId }) => spanId === id)?.name ?? null;
    const edges = new Map(own.map((span) => [span.name, nameOf(span.parentSpanId)]));
    expect(Object.fromEntries(edges)).toMatchObject({
      "GET /traced": null,
      "gate payment": "GET /traced",
      "ledger payments.begin": "gate payment",
      "payment verify": "gate payment",
      produce: "gate payment",
      "provider traced": "produce",
      "HTTP GET": "provider traced",
      "ledger payments.keepAnswer": "gate payment",
      "payment settle": "gate payment",
      "ledger payments.settle": "gate payment",
    });
    // Every span hangs in the tree.
    expect([...edges.values()].filter((parent) => parent === null)).toHaveLength(1);
  });

  test("tells of nothing that is a buyer's or a secret", () => {
    const told = bodies.join("\n").toLowerCase();
    expect(told).toContain("ledger payments.settle");
    for (const secret of [CANARY, PROVIDER_KEY, payer.address]) expect(told).not.toContain(secret.toLowerCase());
  });

  test("tells of requests alone: jobs call providers and the ledger, too", () => {
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.length).toBeGreaterThan(3);
    expect(roots.filter((span) => attributeOf(span, "http.request.method") === undefined)).toEqual([]);
    expect(roots.map(({ name }) => name)).toContain("GET");
  });

  test("goes on with a trace of the operator's proxy, and with nobody else's", () => {
    expect(spans.filter(({ traceId }) => traceId === TRACES.strangers)).toEqual([]);
    const [continued, ...more] = spans.filter(({ traceId }) => traceId === TRACES.proxys);
    expect(continued).toMatchObject({ name: "GET /get-pricing", parentSpanId: "00f067aa0ba902b7" });
    expect(more).toEqual([]);
    expect(spans.filter(({ name }) => name === "GET /get-pricing")).toHaveLength(2);
  });

  test("keeps nothing that the proxy does not keep", () => {
    expect(spans.filter(({ traceId }) => traceId === TRACES.unsampled)).toEqual([]);
  });
});

test("the SDK is loaded by nodes with a collector alone", () => {
  expect(loaded.on.length).toBeGreaterThan(0);
  expect(loaded.off).toEqual([]);
});

describe("the tracer", () => {
  const start = async (address: string, sample_ratio: number) => {
    const { createOTLPTracer } = await import("../../src/telemetry/otlp-tracer.ts");
    const failures: string[] = [];
    const onFailure = (why: string) => void failures.push(why);
    const resource = { "service.name": "test" };
    return { failures, tracer: createOTLPTracer({ address, resource, version: "1", sample_ratio, onFailure }) };
  };

  test("changes nothing about the work when its collector refuses, and says so once", async () => {
    const received: string[] = [];
    const refusing = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        received.push(await request.text());
        // Not one of the answers after which it would be tried again.
        return new Response("no", { status: 400 });
      },
    });
    const { failures, tracer } = await start(`http://127.0.0.1:${refusing.port}/`, 1);
    const failing = () =>
      tracer.span({ name: "failing" }, () => {
        throw new NodeError("upstream_unavailable", CANARY);
      });
    let later = () => 0;
    const answer = tracer.request({ name: "asked", from: null }, async () => {
      expect(failing).toThrow(CANARY);
      later = AsyncResource.bind(() => tracer.span({ name: "late" }, () => 2));
      return tracer.span({ name: "sum" }, async () => 1);
    });
    expect(await answer).toBe(1);
    // What a request leaves behind, such as a timer, is not part of it any more.
    expect(later()).toBe(2);
    expect(failing).toThrow(CANARY);
    await tracer.stop();
    await tracer.stop();
    await refusing.stop(true);
    expect(failures).toHaveLength(1);
    const told = received.join();
    expect([...told.matchAll(/"name":"([a-z]+)"/g)].map(([, name]) => name)).toEqual(["failing", "sum", "asked"]);
    expect(told).toContain("upstream_unavailable");
    expect(told).not.toContain(CANARY);
  });

  test("tells of no request with a share of none", async () => {
    const { failures, tracer } = await start("http://127.0.0.1:1", 0);
    expect(tracer.request({ name: "asked", from: null }, () => tracer.span({ name: "inner" }, () => 1))).toBe(1);
    await tracer.stop();
    expect(failures).toEqual([]);
  });
});
