import { readThreadMs } from "../../src/core/thread-cost.ts";
import { FREE_ENDPOINTS } from "../../src/surfaces/free-endpoints.ts";
import { surfaces } from "../../src/surfaces/surfaces.gen.ts";
import { HELD_MS_MAX, HELD_TRIES_MAX } from "./held-thread.ts";

/** One free call: what a stranger may send as often as his limit lets him. */
export interface FreeCall {
  readonly what: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Long, and of words that every product has. */
const WORDS = "market price btc risk token wallet macro brazil news signal ".repeat(8);
const HASH = "ab".repeat(32);
const post = (what: string, path: string, body: unknown): FreeCall => ({ what, path, body });
const mcp = (method: string, params: object = {}): FreeCall =>
  post(`/mcp ${method}`, "/mcp", { jsonrpc: "2.0", id: 1, method, params });
const A2A_MESSAGE = { kind: "message", role: "user", messageId: "m", parts: [{ kind: "text", text: WORDS }] };

/** Every free document and door with what costs it most, of what it takes. */
export const listFreeCalls = (): readonly FreeCall[] => [
  ...surfaces.map(({ path }) => ({ what: path, path })),
  ...FREE_ENDPOINTS.filter(({ methods }) => methods.includes("GET")).flatMap(({ path }) =>
    // Of what has an id there is none here, and no page that says so but the one for all.
    path.includes(":")
      ? [{ what: path, path: path.replaceAll(/:\w+/g, "1") }]
      : [
          { what: path, path },
          { what: `${path}, in a browser`, path, headers: { accept: "text/html" } },
        ],
  ),
  { what: "/receipts, the most", path: "/receipts?limit=100" },
  { what: "/receipt-seals, by digest", path: `/receipt-seals?response_sha256=${HASH}` },
  { what: "/status, with all", path: "/readyz?verbose" },
  mcp("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } }),
  mcp("tools/list"),
  mcp("resources/list"),
  mcp("prompts/list"),
  mcp("tools/call", { name: "search_products", arguments: { query: WORDS.slice(0, 200) } }),
  post("/a2a message/send", "/a2a", {
    jsonrpc: "2.0",
    id: 1,
    method: "message/send",
    params: { message: A2A_MESSAGE },
  }),
  post("/quote, 200 calls", "/quote", { calls: Array(200).fill({ product: "pyth-price", count: 100 }), period: "24h" }),
  post("/verify-receipt", "/verify-receipt", { receipt: "x".repeat(20_000) }),
];

export interface HeldBy {
  readonly what: string;
  readonly status: number;
  /** The first call, and the best of some more: this thread's processor time, ms, its client's part included. */
  readonly first_ms: number;
  readonly best_ms: number;
  readonly bytes: number;
}

/** Calls a node of this process; what held it for too long again, for the machine may have been busy. */
export async function measureFreeCall(url: string, call: FreeCall, tries: number): Promise<HeldBy> {
  const { what, path, body, headers = {} } = call;
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const init =
    body === undefined ? { headers } : { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) };
  const times: number[] = [];
  let [status, bytes] = [0, 0];
  const isOver = () => Math.min(...times.slice(1)) > HELD_MS_MAX;
  for (let n = 0; n <= tries || (n <= HELD_TRIES_MAX && isOver()); n += 1) {
    const before_ms = readThreadMs();
    const response = await fetch(`${url}${path}`, { redirect: "manual", ...init });
    bytes = (await response.arrayBuffer()).byteLength;
    ({ status } = response);
    times.push(readThreadMs() - before_ms);
  }
  const [first_ms = 0, ...others] = times;
  return { what, status, first_ms, best_ms: Math.min(...others), bytes };
}
