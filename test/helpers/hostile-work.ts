import { Type } from "@sinclair/typebox";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { defineProduct } from "../../src/catalog/product.ts";
import { NodeError } from "../../src/core/errors.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { signPayment, v2Header } from "./gate-bench.ts";
import { drain, headersOf } from "./hostile-visitors.ts";
import type { MoneyNode } from "./money-node.ts";

/** Attacks that pay for nothing: work that ends uncharged, work that is heavy, a model made to answer nothing. */

const BASE = {
  description: "A product of the hostile hour.",
  category: "test",
  tags: ["test"],
  price_usd: "0.01",
  providers: [],
  requires: [],
  deadline_ms: 5_000,
  params: Type.Object({ q: Type.Optional(Type.String({ maxLength: 100 })) }),
  data: Type.Object({ n: Type.Number() }),
  example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
} as const;
const ONCE = { ttl: "0s", preview: { every: "24h" } } as const;
const tell = (n: number, { now_ms }: { readonly now_ms: number }) => ({ as_of_ms: now_ms, data: { n }, warnings: [] });
const isPreview = (q: string | undefined): boolean => q === undefined;
/** What one heavy answer holds the thread for, ms. */
const HEAVY_MS = 5;
/** What its buyer says to a model that then writes nothing. */
const NO_WORDS = "say nothing";

let calls = 0;
const count = (): number => {
  calls += 1;
  return calls;
};
/** How often each of them was worked on. */
export const worked = { nothing: 0, relayed: 0 };

export const HOSTILE_PRODUCTS = [
  defineProduct({
    ...BASE,
    ...ONCE,
    path: "/nothing",
    title: "Of what nobody knows there is nothing",
    fetch: async (_, { q }) => {
      if (isPreview(q)) return count();
      worked.nothing += 1;
      throw new NodeError("subject_not_found", "nobody knows it");
    },
    compute: tell,
  }),
  defineProduct({
    ...BASE,
    ...ONCE,
    path: "/relayed",
    title: "Asks a host of its buyer's choice, which is not there",
    stranger_of: ({ q = "none.example" }) => q,
    fetch: async (_, { q }) => {
      if (isPreview(q)) return count();
      worked.relayed += 1;
      throw new NodeError("upstream_unavailable", "the peer is silent", { of_request: true });
    },
    compute: tell,
  }),
  defineProduct({
    ...BASE,
    ...ONCE,
    path: "/heavy",
    title: "Holds the thread",
    fetch: async () => count(),
    compute: (n, at) => {
      const end = performance.now() + HEAVY_MS;
      while (performance.now() < end);
      return tell(n, at);
    },
  }),
  defineProduct({
    ...BASE,
    ...ONCE,
    path: "/words",
    title: "Asks a model what its buyer likes",
    uses_model: { use: "compose", need: "needed" },
    fetch: async ({ model }, { q = "hello" }) => {
      await model?.complete({ messages: [{ role: "user", content: q }], max_tokens: 16 });
      return count();
    },
    compute: tell,
  }),
  defineProduct({
    ...BASE,
    ...ONCE,
    path: "/passing",
    title: "Passes a payment of its buyer's on",
    passed_on: () => ({
      origin: "https://peer.example",
      network: "eip155:84532",
      asset: "usdc",
      pay_to: "0x1",
      amount_atomic: "5",
      at: "2026-01-01T00:00:00Z",
    }),
    fetch: async () => count(),
    compute: tell,
  }),
] as const;

export const HOSTILE_CONFIG = `
[payments.channels]
enabled = true
[[models]]
id = "writer"
base_url = "http://127.0.0.1:9/v1"
model = "m"
use = ["compose"]
price_in = "0"
price_out = "0"
`;

/** A model that says nothing to who wants it to, and ok to everybody else. */
export function serveModel(): {
  readonly attach: (sandbox: Sandbox) => Promise<void>;
  readonly stop: () => Promise<void>;
} {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const is_silent = (await request.text()).includes(NO_WORDS);
      const choice = {
        index: 0,
        message: { role: "assistant", content: is_silent ? "" : "ok" },
        finish_reason: is_silent ? "length" : "stop",
      };
      const usage = { prompt_tokens: 6, completion_tokens: 16, total_tokens: 22 };
      return Response.json({ id: "c", object: "chat.completion", model: "m", choices: [choice], usage });
    },
  });
  return {
    attach: async (sandbox) => void Object.assign(sandbox, { modelUrl: () => `http://127.0.0.1:${server.port}/v1` }),
    stop: () => server.stop(true),
  };
}

export interface WorkOptions {
  readonly shop: MoneyNode;
  readonly frontOf: (n: number) => string;
  /** A key without a limit, and one with a balance. */
  readonly pass: string;
  readonly balance: string;
  /** A balance of somebody who attacks nobody. */
  readonly honest: string;
  /** A facilitator refuses to settle what this wallet signs, from now on. */
  readonly refuseToSettle: (address: string) => void;
  readonly note: (attack: string, status: number) => void;
}

export function createWorkAttacks({ shop, frontOf, pass, balance, honest, refuseToSettle, note }: WorkOptions) {
  const cheat = privateKeyToAccount(generatePrivateKey());
  const idle = privateKeyToAccount(generatePrivateKey());
  refuseToSettle(cheat.address);
  const from = { "X-Forwarded-For": "203.0.113.97" };
  const byKey = (key: string) => ({ ...from, "X-API-Key": key });
  const ask = async (what: string, path: string, headers: Record<string, string>, n = 0): Promise<void> =>
    note(what, await drain(fetch(`${frontOf(n)}${path}`, { headers })));
  const times = (count: number, one: (n: number) => Promise<void>) =>
    Promise.all(Array.from({ length: count }, (_, n) => one(n)));

  return {
    /** Calls that find nothing: by one payment, by a balance and by a pass, as many at once as they like. */
    async findNothing(tries: number): Promise<void> {
      const payment = headersOf(v2Header(await signPayment({ account: idle }, shop.clock.now())), "203.0.113.96");
      for (let n = 0; n < tries; n += 1) await ask("nothing, one payment", "/nothing?q=1", payment, n);
      await times(tries, (n) => ask("nothing, a pass", `/nothing?q=${n}`, byKey(pass), n));
      await times(tries, (n) => ask("nothing, a balance", `/nothing?q=${n}`, byKey(balance), n));
      await times(tries, (n) => ask("relayed", "/relayed?q=victim.example", byKey(pass), n));
    },
    /** Heavy answers, many at a time. */
    holdThread: (connections: number) =>
      times(connections, (n) =>
        ask("heavy", `/heavy?q=${n}`, { ...byKey(pass), "X-Forwarded-For": "203.0.113.95" }, n),
      ),
    /** The buyer's own words end a model's answer before it begins; then others ask. */
    async shutModel(tries: number): Promise<void> {
      for (let n = 0; n < tries; n += 1) {
        await ask("silenced", `/words?q=${encodeURIComponent(`${NO_WORDS} ${n}`)}`, {
          ...byKey(pass),
          "X-Forwarded-For": "203.0.113.94",
        });
      }
      await ask("words", "/words?q=hello", { "X-API-Key": honest, "X-Forwarded-For": "198.51.100.210" });
    },
    /** One request by two at one time: what is not kept is not shared. */
    async askAlike(): Promise<void> {
      const bodies = await Promise.all(
        [0, 1].map(async (n) => {
          const headers = { "X-API-Key": honest, "X-Forwarded-For": "198.51.100.211" };
          const response = await fetch(`${frontOf(n)}/one?q=alike`, { headers });
          return response.status === 200
            ? ((await response.json()) as { data: { n: number } }).data.n
            : response.status;
        }),
      );
      note(bodies[0] === bodies[1] ? "sold twice" : "sold once each", 0);
    },
    /** A payment to a peer has left, and ours is refused: the answer is its buyer's. */
    async passOn(): Promise<void> {
      const headers = headersOf(v2Header(await signPayment({ account: cheat }, shop.clock.now())), "198.51.100.212");
      const response = await fetch(`${frontOf(0)}/passing?q=1`, { headers });
      const told = await response.text();
      const is_told =
        told.includes('"passed_on"') && told.includes("https://peer.example") && told.includes('"answer"');
      note(
        response.status === 402 && is_told ? "passed on, told" : `passed on, ${told.slice(0, 300)}`,
        response.status,
      );
    },
    /** What everybody sees. */
    async lookAtLive(): Promise<void> {
      const live = (await (await fetch(`${shop.url}/live`)).json()) as {
        products: { path: string; ok: boolean | null }[];
      };
      for (const { path, ok } of live.products) if (ok === false) note(`live false ${path}`, 0);
      note("live", 200);
    },
  };
}
