import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type AuditedAnswer, type EndpointFacts, LATE } from "../../src/audit/facts.ts";
import { judge, SELF_RULES } from "../../src/audit/rules.ts";
import { fetchFacts, hintsFor } from "../../src/commands/audit-fetch.ts";
import { asPublic, type Change, withAnswer, withChallenge, withDocument, withHeader } from "../helpers/audit-facts.ts";
import { cleanUp, startDemo, waitForPast } from "../helpers/demo-node.ts";
import { repeat } from "../helpers/effort.ts";
import { until } from "../helpers/hang-limit.ts";
import { createManualTimers } from "../helpers/manual-timers.ts";
import { newManyProducts } from "../helpers/many-products.ts";
import { fc } from "../helpers/properties.ts";

type Json = Record<string, unknown>;
const inside = (value: unknown, ...keys: (string | number)[]): Json =>
  keys.reduce<unknown>((found, key) => (found as Json)[key], value) as Json;

const PATH = "/fear-greed";
const resource = (change: Json): Change =>
  withChallenge(PATH, (challenge) => Object.assign(inside(challenge, "resource"), change));

/** What each rule must not let pass: what it is, what breaks it, and how bad that is. */
const FAULTS: readonly (readonly [rule: string, what: string, change: Change, share: 0 | 0.5])[] = [
  ["asks-for-payment", "a product that answers 200", withAnswer(`GET ${PATH}`, () => ({ status: 200 })), 0],
  ["asks-for-payment", "a header that is no JSON", withHeader(`GET ${PATH}`, "payment-required", "e30"), 0],
  ["asks-for-payment", "a body without accepts", withAnswer(`GET ${PATH}`, () => ({ text: "{}" })), 0],
  [
    "asks-for-payment",
    "an amount with a sign",
    withChallenge(PATH, (one) => Object.assign(inside(one, "accepts", 0), { amount: "-1" })),
    0,
  ],
  ["asks-for-payment", "no product at all", (facts) => ({ ...facts, products: [] }), 0],
  ["head-of-402", "HEAD that is not taken", withAnswer(`HEAD ${PATH}`, () => ({ status: 405 })), 0],
  ["head-of-402", "HEAD without the header", withHeader(`HEAD ${PATH}`, "payment-required", ""), 0],
  ["head-of-402", "a 402 that may be kept", withHeader(`GET ${PATH}`, "cache-control", "public, max-age=60"), 0],
  ["head-size", "a head of 4,000 bytes or more", withHeader(`GET ${PATH}`, "payment-required", "a".repeat(5_000)), 0.5],
  ["head-size", "a head above 8 KiB", withHeader(`GET ${PATH}`, "payment-required", "a".repeat(9_000)), 0],
  ["resource-limits", "a long description", resource({ description: "a".repeat(451) }), 0],
  ["resource-limits", "a name that is not ASCII", resource({ serviceName: "nöde" }), 0],
  ["resource-limits", "six tags", resource({ tags: ["a", "b", "c", "d", "e", "f"] }), 0],
  ["resource-limits", "a tag twice", resource({ tags: ["a", "A"] }), 0],
  ["resource-limits", "another address", resource({ url: "https://evil.example/fear-greed" }), 0],
  ["icon", "an icon without a name", resource({ iconUrl: "https://192.0.2.1/icon.png" }), 0.5],
  ["bazaar", "no bazaar block", withChallenge(PATH, (one) => Object.assign(one, { extensions: {} })), 0],
  [
    "bazaar",
    "an example that breaks its schema",
    withChallenge(PATH, (one) =>
      Object.assign(inside(one, "extensions", "bazaar", "info", "input"), { method: "PATCH" }),
    ),
    0,
  ],
  [
    "bazaar",
    "an empty example",
    withChallenge(PATH, (one) =>
      Object.assign(inside(one, "extensions", "bazaar", "info"), { output: { type: "json", example: {} } }),
    ),
    0,
  ],
  [
    "networks",
    "a product with a network of its own",
    withChallenge(PATH, (one) => Object.assign(inside(one, "accepts", 0), { network: "eip155:1" })),
    0.5,
  ],
  ...(
    [
      ["/get-pricing", (one) => Object.assign(inside(one, "products", 0), { price_usd: "9" })],
      ["/.well-known/x402.json", (one) => Object.assign(inside(one, "resources", 0, "accepts", 0), { amount: "9" })],
      ["/.well-known/x402", (one) => Object.assign(inside(one, "endpoints", 0), { price: "$9" })],
      [
        "/openapi.json",
        (one) => Object.assign(inside(one, "paths", PATH, "get", "x-payment-info", "price"), { amount: "9" }),
      ],
      ["/bazaar.json", (one) => Object.assign(inside(one, "items", 0, "accepts", 0), { amount: "9" })],
      ["/.well-known/mcp.json", (one) => Object.assign(inside(one, "tools", 0, "x402"), { price: "$9" })],
      ["/.well-known/agent-card.json", (one) => Object.assign(inside(one, "skills", 0), { description: "For $9." })],
      ["/tools.json", (one) => Object.assign(inside(one, "tools", 0), { price_usd: "9" })],
    ] as const satisfies readonly (readonly [string, (one: Json) => unknown])[]
  ).map(([path, change]) => ["prices", `another price in ${path}`, withDocument(path, change), 0] as const),
  [
    "prices",
    "another price in /llms.txt",
    withAnswer("GET /llms.txt", ({ text }) => ({ text: text.replace(/(\/fear-greed\).*)\$[\d.]+/, "$1$$9") })),
    0,
  ],
  [
    "prices",
    "two amounts in one 402",
    withChallenge(PATH, (one) => Object.assign(inside(one, "accepts", 1), { amount: "1" })),
    0,
  ],
  [
    "complete",
    "a document that lacks a product",
    withDocument("/get-pricing", (one) => (one.products as Json[]).pop()),
    0,
  ],
  ["walk", "a dead link", withAnswer("GET /live", () => ({ status: 404 })), 0],
  ["walk", "a link that nobody answers", (facts) => ({ ...facts, links: [...facts.links, "/nothing"] }), 0],
  ["walk", "a product for nothing", withAnswer(`GET ${PATH}`, () => ({ status: 200 })), 0],
  ["walk", "a link that takes too long", withAnswer("GET /live", () => LATE), 0.5],
  ["walk", "a link that fails", withAnswer("GET /live", () => ({ status: 503 })), 0.5],
  ["shapes", "a document that is gone", withAnswer("GET /bazaar.json", () => ({ status: 404 })), 0],
  [
    "shapes",
    "an incomplete resource",
    withDocument("/.well-known/x402.json", (one) => Object.assign(inside(one, "resources", 0), { payTo: "" })),
    0,
  ],
  [
    "shapes",
    "two agent cards",
    withDocument("/.well-known/agent.json", (one) => Object.assign(one, { name: "other" })),
    0,
  ],
  ["shapes", "prose among links", withAnswer("GET /llms.txt", ({ text }) => ({ text: `${text}\nBuy now!\n` })), 0],
  [
    "shapes",
    "a DID of somebody else",
    withDocument("/.well-known/did.json", (one) => Object.assign(one, { id: "did:web:evil.example" })),
    0,
  ],
  [
    "openapi",
    "a price that is a number",
    withDocument("/openapi.json", (one) =>
      Object.assign(inside(one, "paths", PATH, "get", "x-payment-info", "price"), { amount: 0.01 }),
    ),
    0,
  ],
  [
    "openapi",
    "an operation that says nothing of security",
    withDocument("/openapi.json", (one) =>
      Object.assign(inside(one, "paths", "/live", "get"), { security: undefined }),
    ),
    0,
  ],
  [
    "openapi",
    "no contact",
    withDocument("/openapi.json", (one) => Object.assign(inside(one, "info"), { contact: undefined })),
    0.5,
  ],
  [
    "canonical-manifest",
    "bytes with white space",
    withAnswer("GET /.well-known/x402.json", ({ text }) => ({ text: `${text}\n` })),
    0,
  ],
  [
    "canonical-manifest",
    "another digest",
    withHeader("GET /.well-known/x402.json", "repr-digest", "sha-256=:AAAA:"),
    0,
  ],
  [
    "own-address",
    "a forged address",
    withDocument("/openapi.json", (one) => Object.assign(inside(one, "servers", 0), { url: "https://evil.example" })),
    0,
  ],
  [
    "sandbox",
    "a document of a sandbox",
    withDocument("/get-pricing", (one) => Object.assign(one, { sandbox: true })),
    0,
  ],
  ["etag", "no ETag", withHeader("GET /openapi.json", "etag", ""), 0.5],
  ["etag", "an ETag nobody knows again", withAnswer("304 /openapi.json", () => ({ status: 200 })), 0.5],
  ["head", "HEAD with a body", withAnswer("HEAD /live", () => ({ bytes: 10 })), 0],
  [
    "cors",
    "a document closed to browsers",
    withHeader("GET /openapi.json", "access-control-allow-origin", "https://a.example"),
    0,
  ],
  ["cors", "a hidden payment header", withHeader(`GET ${PATH}`, "access-control-expose-headers", "X-Request-Id"), 0],
  [
    "cors",
    "a preflight that refuses to pay",
    withHeader(`OPTIONS ${PATH}`, "access-control-allow-headers", "Content-Type"),
    0,
  ],
  ["size", "a document of 257 KiB", withAnswer("GET /openapi.json", () => ({ bytes: 263_168 })), 0],
  ["gzip", "a large document that comes unpacked only", withHeader("GET /openapi.json", "vary", ""), 0.5],
  ["public-address", "plain http", (facts) => ({ ...facts, public_url: "http://node.example.com" }), 0],
  ["public-address", "a private network", (facts) => ({ ...facts, public_url: "https://192.168.1.2" }), 0],
  ["public-address", "this machine", (facts) => ({ ...facts, public_url: "http://127.0.0.1:8402" }), 0.5],
  ["favicon", "an icon that is a page", withHeader("GET /favicon.ico", "content-type", "text/html"), 0.5],
  ["robots", "everybody kept out", withAnswer("GET /robots.txt", () => ({ text: "User-agent: *\nDisallow: /\n" })), 0],
  ["robots", "a sandbox that lets itself be indexed", (facts) => ({ ...facts, sandbox: true }), 0],
  ["security-contact", "none", withAnswer("GET /.well-known/security.txt", () => ({ status: 404 })), 0.5],
  [
    "security-contact",
    "one that has expired",
    withAnswer("GET /.well-known/security.txt", () => ({ text: "Contact: a\nExpires: 2020-01-01T00:00:00Z\n" })),
    0.5,
  ],
  [
    "front-page",
    "no image for previews",
    withAnswer("GET /", ({ text }) => ({ text: text.replaceAll("og:image", "x") })),
    0.5,
  ],
  ["live", "a failing ledger", withDocument("/live", (one) => Object.assign(one, { status: "failing" })), 0],
  ["live", "a degraded state", withDocument("/live", (one) => Object.assign(one, { status: "degraded" })), 0.5],
  [
    "live",
    "most products without data",
    withDocument("/live", (one) => {
      for (const product of (one as { products: object[] }).products) Object.assign(product, { ok: false });
      return one;
    }),
    0,
  ],
  ["live", "no network", withDocument("/live", (one) => Object.assign(one, { networks: [] })), 0],
  [
    "live",
    "a product without data",
    withDocument("/live", (one) => Object.assign(inside(one, "products", 0), { ok: false })),
    0.5,
  ],
  [
    "live",
    "an old answer",
    withDocument("/live", (one) => Object.assign(one, { generated_at: "2020-01-01T00:00:00Z" })),
    0.5,
  ],
  [
    "ownership",
    "an unproven address",
    (facts) => ({ ...facts, ownership: { verdict: "partial", doubts: ["base"], sound: true } }),
    0.5,
  ],
  [
    "ownership",
    "a wrong signature",
    (facts) => ({ ...facts, ownership: { verdict: "refused", doubts: ["key"], sound: false } }),
    0,
  ],
  ["first-sale", "no receipt", withDocument("/receipts", (one) => Object.assign(one, { items: [] })), 0.5],
];

/** Everything that a whole catalog and thirty products more answered, as they are and at a public address. */
let seen: EndpointFacts;
let facts: EndpointFacts;
beforeAll(async () => {
  const node = await startDemo({ args: ["--plugins", newManyProducts(30)], history: true });
  // Before, the previews that show records are not there to be linked to.
  await waitForPast(node);
  seen = await fetchFacts(node.url, createManualTimers());
  facts = asPublic(seen);
});
afterAll(cleanUp);

/** What one rule says: it judges by itself, and of all of them the others would say the same. */
const judgeBy = (given: EndpointFacts, id: string) =>
  judge(
    given,
    SELF_RULES.filter((rule) => rule.id === id),
  );
const resultOf = (given: EndpointFacts, id: string) => judgeBy(given, id).results[0];

describe("every rule of the audit", () => {
  test.each(SELF_RULES.map(({ id }) => id))("%s is met by a node that does everything right", (id) => {
    const found = resultOf(facts, id);
    expect({ share: found?.share, findings: id === "records" ? [] : found?.findings }).toEqual({
      share: 1,
      findings: [],
    });
  });

  test("live: a sandbox that still lives its past has no product that fails", async () => {
    const living = await startDemo({ history: "anew" });
    let text = "";
    const canBePaid = async (): Promise<boolean> => {
      text = await (await living.get("/live")).text();
      const { networks } = JSON.parse(text) as { networks: { ok: boolean }[] };
      return networks.some(({ ok }) => ok);
    };
    await until(canBePaid, "a facilitator that answers");
    await living.kill();
    const early = withAnswer("GET /live", () => ({ text }))(seen);
    expect(resultOf(early, "live")).toMatchObject({ share: 1, findings: [] });
  });

  test("can fail", () => {
    const failing = new Set(FAULTS.map(([id]) => id));
    expect(
      SELF_RULES.filter(({ weight }) => weight > 0)
        .map(({ id }) => id)
        .filter((id) => !failing.has(id)),
    ).toEqual([]);
  });

  test.each(FAULTS.map(([id, what, change, share]) => [id, what, { change, share }] as const))(
    "%s does not let pass: %s",
    (id, _, { change, share }) => {
      const changed = judgeBy(change(facts), id);
      const [found] = changed.results;
      expect(found?.share).toBe(share);
      for (const { about, fix } of found?.findings ?? []) {
        expect(about).not.toBe("");
        expect(fix).toMatch(/^[A-Z].*\.$/);
      }
      if (found?.weight !== 0) expect(changed.score).toBeLessThan(100);
      if (share === 0) expect(changed.is_broken).toBe(true);
    },
  );

  test("networks: what takes long may be sold on some of them alone, and on none is a fault", () => {
    const keep = (n: number) => withChallenge(PATH, (one) => (one.accepts as Json[]).splice(n))(facts);
    expect(resultOf(keep(1), "networks")).toMatchObject({ share: 1, findings: [] });
    expect(resultOf(keep(0), "networks")?.share).toBe(0.5);
  });

  test("that does not apply to a sandbox or to this machine is not counted", () => {
    const closed = withAnswer("GET /robots.txt", () => ({ text: "User-agent: *\nDisallow: /\n" }));
    const { score, results } = judge({ ...closed(facts), sandbox: true });
    expect(results.find(({ id }) => id === "sandbox")?.share).toBe(0);
    const skipped = results.filter(({ share }) => share === null).map(({ id }) => id);
    expect(skipped).toEqual(["public-address", "first-sale", "records"]);
    expect(score).toBe(100);
  });

  test("judges anything a node may answer, and never breaks on it", () => {
    const junk = fc.oneof(fc.json(), fc.string(), fc.constantFrom("", "null", "[]", "{}", '{"paths":[{"get":1}]}'));
    const keys = [...facts.answers.keys()];
    fc.assert(
      fc.property(
        fc.subarray(keys, { minLength: 1 }),
        junk,
        fc.constantFrom(0, 200, 402, 500),
        (some, text, status) => {
          const headers = { "payment-required": Buffer.from(text).toString("base64"), etag: text };
          const answers = new Map<string, AuditedAnswer>([
            ...facts.answers,
            ...some.map((key) => [key, { status, headers, text, bytes: 1 }] as const),
          ]);
          const { score } = judge({ ...facts, answers });
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(100);
        },
      ),
      { numRuns: repeat({ quick: 15, full: 60, long: 600 }) },
    );
  });

  test("records worth setting are printed whole, for an address that DNS leads to", () => {
    const found = hintsFor("https://node.example.com", facts.answers);
    expect(found.map(({ about }) => about)).toEqual([
      expect.stringMatching(/^_x402\.node\.example\.com TXT "v=x402-1; wk=https:\/\/node\.example\.com\/\S+; k=/),
      expect.stringMatching(/^node\.example\.com TXT "v=MCPv1; k=ed25519; p=[A-Za-z0-9+/]{43}="$/),
    ]);
    expect(hintsFor("http://127.0.0.1:8402", facts.answers)).toEqual([]);
  });

  test("hints cost nothing", () => {
    const hinted = judge({ ...facts, hints: [{ about: "a record", fix: "Add it." }] });
    expect(hinted).toMatchObject({ score: 100, is_broken: false });
    expect(hinted.results.find(({ id }) => id === "records")?.findings).toHaveLength(1);
  });
});

test("a catalog of more than a hundred products is seen whole", () => {
  const found = judge(seen);
  expect(seen.products.length).toBeGreaterThan(100);
  expect(found.results.flatMap(({ findings }) => findings)).toEqual([]);
  expect(found.score).toBe(100);
});

test("a link that takes too long is called slow, not dead", async () => {
  const timers = createManualTimers();
  let is_asked = false;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ url }) {
      const { origin, pathname } = new URL(url);
      if (pathname === "/llms.txt") return new Response(`- [slow](${origin}/slow)\n- [gone](${origin}/gone)\n`);
      if (pathname !== "/slow") return new Response(null, { status: 404 });
      is_asked = true;
      return new Promise<Response>(() => {});
    },
  });
  try {
    const fetching = fetchFacts(server.url.origin, timers);
    await until(() => is_asked && timers.set().length === 1, "the slow link alone to be waited for");
    await timers.advance(Math.max(...timers.set()));
    const found = judge(await fetching).results.find(({ id }) => id === "walk");
    expect(found?.findings.map(({ severity, about }) => `${severity}: ${about}`)).toEqual([
      expect.stringMatching(/^broken: dead links: .*\/gone answers 404/),
      "warning: links that take too long: /slow",
    ]);
    expect(found?.findings[0]?.about).not.toContain("/slow");
  } finally {
    await server.stop(true);
  }
});

describe("weights", () => {
  test("are in the manual", async () => {
    const manual = await Bun.file(join(import.meta.dir, "..", "..", "docs", "operator", "catalogs.md")).text();
    for (const { id, weight, title } of SELF_RULES) expect(manual).toContain(`| \`${id}\` | ${weight} | ${title} |`);
  });

  test("sum up to 100, and every rule has its own name", () => {
    expect(new Set(SELF_RULES.map(({ id }) => id)).size).toBe(SELF_RULES.length);
    expect(SELF_RULES.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
  });
});
