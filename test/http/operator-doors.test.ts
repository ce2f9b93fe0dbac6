import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import { isTokenForm } from "../../src/core/secrets.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { sendRaw } from "../helpers/raw-http.ts";

/** What a full disk, a copy that broke off or an editor makes of the file of the operator's token. */
const EMPTIED: readonly (readonly [string, string])[] = [
  ["has 0 bytes", ""],
  ["holds blanks", "  \t "],
  ["holds a line end", "\r\n"],
  ["holds a byte order mark", "\ufeff"],
  ["holds a byte order mark and a line end", "\ufeff\n"],
  ["holds NUL bytes", "\0".repeat(44)],
];

/** Sold as the node pays itself: a door of the operator's that is no page and no part of the API. */
const OWN = defineProduct({
  path: "/own",
  methods: ["GET"],
  title: "Own",
  description: "A product that the node buys of itself.",
  category: "test",
  tags: ["test"],
  price_usd: "0.01",
  params: Type.Object({}),
  data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
  self_payment: true,
  providers: [],
  requires: [],
  ttl: "0s",
  deadline_ms: 5_000,
  preview: { every: "24h" },
  fetch: async () => 1,
  compute: (n, { now_ms }) => ({ as_of_ms: now_ms, data: { n }, warnings: [] }),
});

const SELF_PAYMENT = '[bootstrap_trust]\nmode = "self-payment"\n';
const startWith = (text: string, more = ""): Promise<MoneyNode> =>
  startMoneyNode(SELF_PAYMENT + more, undefined, {
    products: [OWN],
    prepareData: (folder) => writeFileSync(join(folder, "operator.token"), text),
  });

/** No credentials, and every spelling of empty ones. */
const HEADERS: readonly string[] = [
  "",
  "Authorization:\r\n",
  "Authorization: Bearer\r\n",
  "Authorization: Bearer \r\n",
  "Authorization: Bearer \t \r\n",
  "Authorization: Bearer \u00a0\r\n",
  "Authorization: Basic Og==\r\n",
  "Authorization: Bearer null\r\n",
  "Authorization: Bearer undefined\r\n",
  "X-API-Key:\r\nX-Operator-Token:\r\nCookie: token=; operator_token=; session=\r\n",
];
const QUERIES = ["", "?token=&operator_token=&key=&csrf="];
const BODIES = [
  ["application/json", '{"command":"issue","credit_usd":"500","token":""}'],
  ["application/x-www-form-urlencoded", "token=&csrf=&op=key_issue&credit_usd=500&duration=30d"],
] as const;

interface Door {
  readonly path: string;
  readonly method: string;
}

/** Places in a path stand for something: here for anything. */
const fill = (path: string): string => path.replaceAll(/[:*][A-Za-z_]*\??/g, "x");
const listDoors = ({ node }: MoneyNode, is_operator: boolean): readonly Door[] =>
  node
    .routes()
    .filter((route) => route.is_operator === is_operator)
    .flatMap(({ path, methods }) => methods.map((method) => ({ path: fill(path), method })));

/** Through a proxy of this machine: what it passes on comes from loopback. */
const knock = (at: MoneyNode, { path, method }: Door, { headers = "", type = "", body = "" } = {}): Promise<string> => {
  const { host } = new URL(at.url);
  const about = body === "" ? "" : `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`;
  const proxied = "X-Forwarded-For: 203.0.113.5\r\nConnection: close\r\n";
  return sendRaw(at.url, `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${proxied}${headers}${about}\r\n${body}`);
};
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

/** Told that there is nothing, sent to log in, or shown the form that asks for the token. */
function isRefused(answer: string): boolean {
  const status = statusOf(answer);
  if (status === 303) return /^location: \/admin\r$/im.test(answer);
  if (status === 200) return answer.includes('name="token"') && !answer.includes('name="csrf"');
  // A body that is no form is not even looked at by the pages; who gave ten wrong tokens waits.
  return [401, 404, 415, 429].includes(status);
}

/** Every door of the operator's that opened to somebody without his token. */
async function findOpen(at: MoneyNode): Promise<readonly string[]> {
  const open: string[] = [];
  for (const door of listDoors(at, true)) {
    const bodies = door.method === "POST" ? BODIES : ([["", ""]] as const);
    for (const headers of HEADERS)
      for (const query of QUERIES)
        for (const [type, body] of bodies) {
          const answer = await knock(at, { ...door, path: door.path + query }, { headers, type, body });
          if (!isRefused(answer))
            open.push(`${door.method} ${door.path}${query} ${headers.trim()} ${answer.slice(0, 40)}`);
        }
  }
  return open;
}

const askKeys = async (at: MoneyNode) => {
  const headers = { authorization: `Bearer ${at.node.operator_token}` };
  const answer = await fetch(`${at.url}/admin/api/keys`, { headers });
  return [answer.status, ((await answer.json()) as { readonly items: unknown[] }).items];
};

describe.each(EMPTIED)("where operator.token %s", (_, text) => {
  let at: MoneyNode;
  beforeAll(async () => {
    at = await startWith(text);
  });
  afterAll(() => at.stop());

  test("the node makes a token that opens its doors, and keeps it", async () => {
    const file = join(at.data, "operator.token");
    expect(readFileSync(file, "utf8")).toBe(`${at.node.operator_token}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(isTokenForm(at.node.operator_token)).toBe(true);
    expect(await askKeys(at)).toEqual([200, []]);
  });

  test("no door of the operator's opens without it, and nothing is issued", async () => {
    expect(await findOpen(at)).toEqual([]);
    expect(await askKeys(at)).toEqual([200, []]);
  });
});

describe("where the operator's pages are open to everywhere", () => {
  let at: MoneyNode;
  beforeAll(async () => {
    at = await startWith("", "[admin]\nenabled = true\n");
  });
  afterAll(() => at.stop());

  test("they show no more than the form that asks for the token", async () => {
    expect(await findOpen(at)).toEqual([]);
    expect(await askKeys(at)).toEqual([200, []]);
  });

  test("the route table names API, pages, figures, the sandbox and the node's own buyer", () => {
    const doors = listDoors(at, true).map(({ path, method }) => `${method} ${path}`);
    const some = ["GET /admin", "POST /admin/keys", "GET /admin/api/overview", "POST /admin/api/key-issue"];
    const others = ["GET /admin/status", "GET /metrics", "POST /__sandbox", "POST /own"];
    expect(doors).toEqual(expect.arrayContaining([...some, ...others]));
    expect(doors.length).toBeGreaterThan(30);
  });

  test("the token opens no other path", async () => {
    const headers = `Authorization: Bearer ${at.node.operator_token}\r\n`;
    const told: string[] = [];
    for (const door of listDoors(at, false)) {
      const [type, body] = door.method === "POST" ? BODIES[0] : ["", ""];
      const [plain, as_operator] = await Promise.all([
        knock(at, door, { type, body }),
        knock(at, door, { headers, type, body }),
      ]);
      if (statusOf(plain) !== statusOf(as_operator)) told.push(`${door.method} ${door.path}`);
    }
    expect(told).toEqual([]);
  });

  test("both halves of a path say what is taken there", async () => {
    const answer = await knock(at, { path: "/own", method: "DELETE" });
    expect(answer).toMatch(/^HTTP\/1\.1 405/);
    expect(answer).toMatch(/^allow: GET, HEAD, POST, OPTIONS\r$/im);
  });
});
