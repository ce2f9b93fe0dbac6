import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { surfaces } from "../../src/surfaces/surfaces.gen.ts";
import { type ProductNode, startProductNode } from "../helpers/product-node.ts";

/**
 * A GET without a query and without anything to pay with is answered at once, from what is made already. An empty
 * query means the same and goes the usual way: both have to answer with the same bytes, on every such path.
 */
const VARIANTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a program that says nothing": {},
  "a program that takes JSON, packed": { accept: "application/json", "accept-encoding": "gzip" },
  "a program that takes anything": { accept: "*/*", "user-agent": "python-httpx/0.27", "accept-encoding": "identity" },
  "a browser": { accept: "text/html,application/xhtml+xml,*/*;q=0.8", "accept-language": "pt-BR,pt" },
  "who prefers markdown": { accept: "text/markdown, text/html;q=0.5" },
  "who has it already": { "if-none-match": "*" },
  "what a proxy passes on": { "x-forwarded-for": "203.0.113.7, 198.51.100.1" },
  "who writes a key badly": { "x-api-key": "nothing" },
};
const OWN = /req_[0-9A-Za-z]{16}/g;
/** Each call's challenge has an id and an end of its own. */
const CHALLENGED = /id=\\"[A-Za-z0-9_-]{40}\\"|expires=\\"[^"\\]*\\"/g;
/** What a failed call is stated to have cost: nothing, signed at its moment. */
const STATED = /"no_charge":"[^"]*"/;

let node: ProductNode;
let paths: readonly string[] = [];

beforeAll(async () => {
  node = await startProductNode({ seed_history: false });
  const { products } = (await (await fetch(`${node.url}/get-pricing`)).json()) as { products: { path: string }[] };
  const priced = products.map(({ path }) => path);
  expect(priced.length).toBeGreaterThan(50);
  paths = [...priced, ...surfaces.map(({ path }) => path)];
});
afterAll(() => node.stop());

/** All of an answer but the id of its request and the time. */
async function ask(url: string, headers: Readonly<Record<string, string>>, method: string) {
  const answer = await fetch(url, { method, headers, redirect: "manual", decompress: false } as RequestInit);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const is_packed = answer.headers.has("content-encoding");
  // What is stated of a failed call is as long as its moment.
  const varies = !is_packed && STATED.test(bytes.toString()) ? ["date", "content-length"] : ["date"];
  const about = [...answer.headers].filter(([name]) => !varies.includes(name)).sort();
  return {
    status: answer.status,
    about: JSON.stringify(about).replaceAll(OWN, "req").replaceAll(CHALLENGED, "").replace(STATED, ""),
    body: is_packed ? bytes.toString("base64") : bytes.toString().replaceAll(OWN, "req").replace(STATED, ""),
  };
}

describe.each(Object.entries(VARIANTS))("%s", (_, headers) => {
  test.each(["GET", "HEAD"])("is answered to %s as by way of the handler, on every path", async (method) => {
    for (const path of paths) {
      const at_once = await ask(`${node.url}${path}`, headers, method);
      const usual = await ask(`${node.url}${path}?`, headers, method);
      expect({ path, ...at_once }).toEqual({ path, ...usual });
    }
  });
});

test("every answer has an id of its own, in header and body", async () => {
  const [path = ""] = paths;
  const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(`${node.url}${path}`)));
  const shown = await Promise.all(
    answers.map(async (answer) => ((await answer.json()) as { request_id: string }).request_id),
  );
  expect(shown).toEqual(answers.map(({ headers }) => headers.get("x-request-id") ?? ""));
  expect(new Set(shown).size).toBe(100);
});

test("a host that is not what the request line says is refused on paths that were answered before", async () => {
  const [path = ""] = paths;
  expect((await fetch(`${node.url}${path}`)).status).toBe(402);
  const refused = await fetch(`${node.url}${path}`, { headers: { host: "x" } });
  expect(refused.status).toBe(400);
});

test("what is answered at once is counted and limited as any other", async () => {
  const [path = ""] = paths;
  const count = async () => {
    const metrics = await (await fetch(`${node.url}/live`)).json();
    return (metrics as { requests_24h: { challenges: number } }).requests_24h.challenges;
  };
  const before = await count();
  for (let asked = 0; asked < 3; asked += 1) await fetch(`${node.url}${path}`);
  // The figures are kept for half a second.
  node.clock.advance(600);
  expect((await count()) - before).toBe(3);
  node.node.setLimits(true);
  const limited = await fetch(`${node.url}${path}`);
  expect(limited.headers.get("ratelimit-policy")).toMatch(/^"free";q=\d+;w=60$/);
  expect(limited.headers.get("ratelimit")).toMatch(/^"free";r=\d+;t=\d+$/);
  node.node.setLimits(false);
});
