import type { Catalog } from "../catalog/catalog.ts";
import type { Previews } from "../catalog/previews.ts";
import { renderTime } from "../core/clock.ts";
import { closest } from "../core/closest.ts";
import { NodeError } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { renderUSD } from "../core/money.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { ReceiptRow } from "../ledger/receipts.ts";
import { networkById } from "../payments/networks/table.ts";
import type { FreeRoute } from "./app.ts";
import type { Exchange, Handler } from "./exchange.ts";
import type { Responder } from "./respond.ts";

/** A document that changes only when the catalog or the networks do: rendered then, served from memory. */
export interface StaticDocument {
  readonly path: string;
  readonly render: () => unknown;
}

export interface FreeRouteOptions {
  readonly responder: Responder;
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly previews: Previews;
  readonly node_id: string;
  readonly now_ms: () => number;
  readonly sandbox: boolean;
  /** Facts for /live, gathered per call. */
  readonly live: () => Record<string, unknown>;
  /** Why the node should get no traffic, or an empty list. */
  readonly notReady: () => readonly string[];
}

/** The documents that are served as they were last rendered. */
export function createDocuments(documents: readonly StaticDocument[], responder: Responder) {
  const base = responder.headers({ "Cache-Control": "public, max-age=300" });
  const kept = new Map<string, { body: string; headers: Headers; etag: string }>();
  const refresh = () => {
    for (const { path, render } of documents) {
      const body = JSON.stringify(render());
      const etag = `"${sha256Hex(body).slice(0, 24)}"`;
      const headers = new Headers(base);
      headers.set("ETag", etag);
      kept.set(path, { body, headers, etag });
    }
  };
  refresh();
  const handlerOf =
    (path: string): Handler =>
    ({ request, request_id }) => {
      const { body, headers, etag } = kept.get(path) ?? { body: "", headers: base, etag: "" };
      const unchanged = isUnchanged(request.headers.get("if-none-match"), etag);
      const content = unchanged || request.method === "HEAD" ? null : body;
      const response = new Response(content, { status: unchanged ? 304 : 200, headers });
      response.headers.set("X-Request-Id", request_id);
      return response;
    };
  const routes: FreeRoute[] = documents.map(({ path }) => ({ path, methods: ["GET"], handler: handlerOf(path) }));
  return { routes, refresh };
}

/** If-None-Match as RFC 9110 has it: "*", or a list of tags compared weakly. */
const isUnchanged = (header: string | null, etag: string): boolean =>
  header !== null &&
  header.length < 2_000 &&
  header.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);

const RECEIPTS_MAX = 200;
const RECEIPTS_DEFAULT = 50;
const RECEIPT_FILTERS = ["limit", "cursor", "label", "network", "product"] as const;

export function createFreeRoutes(options: FreeRouteOptions): readonly FreeRoute[] {
  const { responder, ledger } = options;
  const fresh = responder.headers({ "Cache-Control": "no-store" });
  const json = ({ request, request_id }: Exchange, value: unknown, status = 200): Response => {
    const response = new Response(request.method === "HEAD" ? null : JSON.stringify(value), { status, headers: fresh });
    response.headers.set("X-Request-Id", request_id);
    return response;
  };
  const stamp = () => ({
    node_id: options.node_id,
    generated_at: renderTime(options.now_ms()),
    ...(options.sandbox ? { sandbox: true } : {}),
  });
  const get = (path: string, handler: Handler): FreeRoute => ({ path, methods: ["GET"], handler });

  return [
    get("/healthz", (exchange) => {
      const { trouble } = ledger;
      return json(
        exchange,
        { status: trouble ? "failing" : "ok", ...(trouble ? { reason: trouble } : {}) },
        trouble ? 503 : 200,
      );
    }),
    get("/readyz", (exchange) => {
      const reasons = options.notReady();
      return json(exchange, { ready: reasons.length === 0, reasons }, reasons.length === 0 ? 200 : 503);
    }),
    get("/live", (exchange) => json(exchange, { ...stamp(), ...options.live() })),
    get("/receipts", (exchange) => {
      const { limit, before_seq, label, network, product } = readReceiptQuery(exchange.search);
      const rows = ledger.receipts.list({ limit: limit + 1, before_seq, label, network, product });
      const items = rows.slice(0, limit);
      const next_cursor = rows.length > limit ? String(items.at(-1)?.seq) : null;
      const totals = Object.fromEntries(
        Object.entries(ledger.receipts.totals()).map(([name, { count, amount }]) => [
          name.replace("-", "_"),
          { count, amount_atomic: amount.toString() },
        ]),
      );
      return json(exchange, { ...stamp(), items: items.map(renderReceipt), next_cursor, totals });
    }),
    get("/receipts/:id", (exchange) => {
      const id = new URL(exchange.request.url).pathname.split("/")[2] ?? "";
      const row = /^[A-Za-z0-9_]{1,64}$/.test(id) ? ledger.receipts.get(id) : null;
      if (!row) throw new NodeError("not_found", "No such receipt.");
      return json(exchange, { ...stamp(), ...renderReceipt(row) });
    }),
    get("/sample", (exchange) => {
      const sampled = options.catalog.products.filter((product) => product.definition.sample === true);
      const shown = sampled.map((product) => {
        const name = product.id.replaceAll("-", "_");
        return [name, options.previews.find(product, product.params.defaults)] as const;
      });
      const warnings = shown
        .filter(([, body]) => body === null)
        .map(([name]) => `${name}: no snapshot is old enough yet`);
      return json(exchange, { ...stamp(), ...Object.fromEntries(shown), warnings });
    }),
  ];
}

/** The public form of a receipt. `on_chain` is stated only where the chain was asked. */
function renderReceipt(row: ReceiptRow): Record<string, unknown> {
  return {
    id: row.id,
    network: row.network,
    transaction: row.chain_transaction,
    explorer_url: networkById(row.network)?.explorerUrl(row.chain_transaction) ?? null,
    product: row.product,
    asset: row.asset,
    amount_atomic: row.amount.toString(),
    amount_usd: renderUSD(row.amount),
    payer: row.payer,
    pay_to: row.pay_to,
    settled_at: renderTime(row.settled_at_ms),
    label: row.label,
  };
}

function readReceiptQuery(search: string) {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(search)) {
    if (!(RECEIPT_FILTERS as readonly string[]).includes(name)) {
      const nearest = closest(name, RECEIPT_FILTERS);
      const hint = nearest ? ` Did you mean "${nearest}"?` : "";
      throw new NodeError("unknown_parameter", `Unknown parameter "${name.slice(0, 60)}".${hint}`, {
        param: name.slice(0, 60),
      });
    }
    if (query.has(name)) throw invalid(name, "given more than once");
    query.set(name, value);
  }
  const whole = (name: "limit" | "cursor", max: number): number | undefined => {
    const text = query.get(name);
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,14}$/.test(text) || Number(text) > max) throw invalid(name, `a whole number from 1 to ${max}`);
    return Number(text);
  };
  const label = query.get("label");
  if (label !== undefined && label !== "organic" && label !== "operator-test") {
    throw invalid("label", "organic or operator-test");
  }
  return {
    limit: whole("limit", RECEIPTS_MAX) ?? RECEIPTS_DEFAULT,
    before_seq: whole("cursor", Number.MAX_SAFE_INTEGER),
    label,
    network: query.get("network"),
    product: query.get("product")?.replace(/^\//, ""),
  };
}

const invalid = (param: string, allowed: string): NodeError =>
  new NodeError("invalid_parameter", `Parameter "${param}" must be ${allowed}.`, { param, details: { allowed } });
