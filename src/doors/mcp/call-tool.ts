import { Type } from "@sinclair/typebox";
import type { Catalog, CatalogProduct } from "../../catalog/catalog.ts";
import { createParamsParser } from "../../catalog/params.ts";
import { tierOf } from "../../catalog/tiers.ts";
import { closest } from "../../core/closest.ts";
import { NodeError } from "../../core/errors.ts";
import type { FreeRoute } from "../../http/free-route.ts";
import type { HTTPCall } from "../../http/http-call.ts";
import { isPaying } from "../../http/no-charge.ts";
import type { Responder } from "../../http/respond.ts";
import { assertNoKeyIn } from "../../http/shown-key.ts";
import type { SaleOutcome } from "../../sell/sale.ts";
import type { Sell } from "../../sell/sales.ts";
import {
  SEARCH_CHARS_MAX,
  SEARCH_RESULTS_DEFAULT,
  SEARCH_RESULTS_MAX,
  TEXT_BYTES_PARAM,
} from "../../surfaces/mcp-tools.ts";
import { type Arguments, readArguments } from "./coerce-arguments.ts";
import type { Era } from "./era.ts";
import { invalidParams, type Params, type RpcError } from "./json-rpc.ts";
import { createPaymentHeaders } from "./payment-headers.ts";
import { type AnsweredCall, createDemands, dataResult, paidResult, problemResult } from "./results.ts";
import type { SummaryTextOptions } from "./summary.ts";
import { readTextBudget } from "./text-budget.ts";
import type { WalletTool } from "./wallet-tool.ts";
import type { WatchTool } from "./watch-tool.ts";

export type Tool =
  | { readonly kind: "product"; readonly product: CatalogProduct }
  /** Answers what a free path answers. */
  | { readonly kind: "free"; readonly route: FreeRoute }
  /** Sells any product, which an argument names. */
  | { readonly kind: "any"; readonly products: ReadonlyMap<string, CatalogProduct> }
  | { readonly kind: "wallet"; readonly show: WalletTool }
  | { readonly kind: "watch"; readonly ask: WatchTool }
  | { readonly kind: "search"; readonly search: (query: string, limit: number) => unknown[] };

export interface ToolCall {
  readonly http_call: HTTPCall;
  readonly params: Params;
  readonly era: Era;
  readonly tools: ReadonlyMap<string, Tool>;
  /** A key from the URL. */
  readonly url_key: string | null;
}

export interface CallToolOptions {
  readonly catalog: Pick<Catalog, "off">;
  readonly responder: Responder;
  readonly sell: Sell;
  readonly public_url: string;
  /** What every JSON answer of our own begins with. */
  readonly stamp: () => Readonly<Record<string, unknown>>;
}

const searchParams = createParamsParser(
  Type.Object({
    query: Type.String({ maxLength: SEARCH_CHARS_MAX }),
    limit: Type.Integer({ minimum: 1, maximum: SEARCH_RESULTS_MAX, default: SEARCH_RESULTS_DEFAULT }),
  }),
);
const SEARCH_SCHEMA = Type.Object({ query: Type.String(), limit: Type.Integer() });

const isObject = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a tool is called by; the same word on every door. */
const toolNameOf = ({ id }: Pick<CatalogProduct, "id">): string => id.replaceAll(/[/-]/g, "_");

/** The request of a sale, at the price of its parameters, and how its answer is written as text. */
interface ToolSale {
  readonly product: CatalogProduct;
  readonly price_usd: string;
  readonly headers: Headers;
  readonly text: SummaryTextOptions;
}

/** The products by the names of their tools. */
export const listProductTools = ({ products }: Catalog): ReadonlyMap<string, CatalogProduct> =>
  new Map(products.map((product) => [toolNameOf(product), product]));

const findOffTool = (off: Catalog["off"], name: string): Catalog["off"][number] | undefined =>
  off.find(({ product }) => toolNameOf(product) === name);

/** Which product a call of the tool for all of them is for, and its arguments. Throws NodeError invalid_parameter. */
function readAnyCall(given: Params, products: ReadonlyMap<string, CatalogProduct>, { off }: Pick<Catalog, "off">) {
  const { tool, arguments: inner = {}, ...outer } = given;
  const name = typeof tool === "string" ? tool.replace(/^\//, "").replaceAll(/[/-]/g, "_") : "";
  const product = products.get(name);
  if (!product) {
    const switched = findOffTool(off, name);
    if (switched) throw switched.refuse();
    const nearest = closest(name, products.keys());
    const hint = nearest ? ` Did you mean "${nearest}"?` : " search_products finds the names of products.";
    throw new NodeError("invalid_parameter", `Parameter "tool" must name a product.${hint}`, {
      param: "tool",
      details: { parameter: "tool", ...(nearest ? { nearest } : {}) },
    });
  }
  if (inner !== null && !isObject(inner)) {
    throw new NodeError("invalid_parameter", 'Parameter "arguments" must be an object.', { param: "arguments" });
  }
  const others = Object.keys(outer).filter((one) => !ANY_CALL_PARAMS.includes(one));
  if (others[0] !== undefined) {
    const param = others[0].toWellFormed().slice(0, 100);
    throw new NodeError("unknown_parameter", `Parameter "${param}" belongs into "arguments".`, { param });
  }
  return { product, args: { ...outer, ...inner } };
}

/** What a call of the tool for all products may say beside the product's own arguments. */
const ANY_CALL_PARAMS: readonly string[] = ["preview", "view", "fields", "lang", TEXT_BYTES_PARAM];

/** Answers `tools/call`: what costs nothing at once, what is sold through the one gate. */
export function createToolCaller(options: CallToolOptions): (call: ToolCall) => Promise<AnsweredCall | RpcError> {
  const { responder, sell } = options;
  const demands = createDemands();

  /** An error is the tool's answer, so that the model that called it can read why. */
  const fail = async (error: unknown, http_call: HTTPCall, headers?: Headers): Promise<AnsweredCall> => {
    const known = http_call.failed(error);
    const about = { request_id: http_call.request_id, no_charge: await http_call.noCharge(known, headers) };
    return { result: problemResult(responder.renderProblem(known, about)) };
  };

  const render = async (
    outcome: SaleOutcome,
    { http_call, era }: ToolCall,
    { product, price_usd, headers, text }: ToolSale,
  ): Promise<AnsweredCall> => {
    const priced = { title: product.definition.title, price_usd };
    switch (outcome.kind) {
      case "answer":
        return paidResult(outcome.served, text);
      case "preview":
        return { result: dataResult(outcome.body, text) };
      case "challenge":
        return { result: demands.unpaid(outcome.challenge, { ...priced, bound: outcome.bound }, era) };
      case "refused": {
        const { refusal, challenge, bound } = outcome;
        http_call.failed(refusal);
        const no_charge = await http_call.noCharge(refusal, headers);
        const about = { id: http_call.request_id, protocol: 2 as const, no_charge };
        const { payment_required: required, settlement } = challenge.refused(refusal, about);
        const mpp = { offers: challenge.mpp, bound, refusal };
        return { result: demands.refused({ required, settlement, why: refusal.message, mpp }, priced, era) };
      }
      default:
        return outcome satisfies never;
    }
  };

  async function sellProduct(call: ToolCall, product: CatalogProduct, given: Params): Promise<AnsweredCall> {
    const { http_call, params, url_key } = call;
    const { request, client, request_id } = http_call;
    const { definition } = product;
    let read: { readonly args: Arguments; readonly headers: Headers; readonly text_bytes: number };
    try {
      assertNoKeyIn(JSON.stringify(params), request.headers);
      const { text_bytes, others } = readTextBudget(given, definition.params);
      const args = readArguments(others, definition.params);
      const headers = createPaymentHeaders({ headers: request.headers, meta: params._meta, url_key });
      read = { args, headers, text_bytes };
    } catch (error) {
      http_call.count(false);
      return fail(error, http_call);
    }
    const { headers, text_bytes: bytes } = read;
    const { preview } = read.args;
    http_call.count(!preview && isPaying(headers));
    try {
      const parsed = product.params.fromBody(read.args.given);
      // The method a payment over HTTP would be for, so that one payment means one thing on every door.
      const method = product.methods[0] ?? "GET";
      const asked = { product, method, params: parsed, preview, headers, client, gone: request.signal, request_id };
      const { price_usd } = tierOf(product, parsed);
      const has_all_sources = read.args.given.view === "full";
      const text = { bytes, asked: parsed.params, long: definition.long ?? [], has_all_sources };
      return await render(await sell({ ...asked, door: "mcp" }), call, { product, price_usd, headers, text });
    } catch (error) {
      return fail(error, http_call, headers);
    }
  }

  async function sellAny(call: ToolCall, products: ReadonlyMap<string, CatalogProduct>, given: Params) {
    let read: ReturnType<typeof readAnyCall>;
    try {
      read = readAnyCall(given, products, options.catalog);
    } catch (error) {
      call.http_call.count(false);
      return fail(error, call.http_call);
    }
    return sellProduct(call, read.product, read.args);
  }

  async function answerFree(http_call: HTTPCall, { path, handler }: FreeRoute, given: Params): Promise<AnsweredCall> {
    try {
      const { text_bytes: bytes, others } = readTextBudget(given);
      createParamsParser(Type.Object({})).fromBody(others);
      const request = new Request(`${options.public_url}${path}`);
      const response = await handler({ ...http_call, request, search: "" });
      return { result: dataResult(await response.text(), { bytes }) };
    } catch (error) {
      return fail(error, http_call);
    }
  }

  async function showWallet(http_call: HTTPCall, show: WalletTool, given: Params): Promise<AnsweredCall> {
    try {
      const { text_bytes: bytes, others } = readTextBudget(given);
      return { result: dataResult(await show(http_call, others), { bytes }) };
    } catch (error) {
      return fail(error, http_call);
    }
  }

  async function askWatch(
    { http_call, params, url_key }: ToolCall,
    ask: WatchTool,
    given: Params,
  ): Promise<AnsweredCall> {
    try {
      assertNoKeyIn(JSON.stringify(params), http_call.request.headers);
      const { text_bytes: bytes, others } = readTextBudget(given);
      const headers = createPaymentHeaders({ headers: http_call.request.headers, meta: params._meta, url_key });
      return { result: dataResult(await ask(http_call, headers, others), { bytes }) };
    } catch (error) {
      return fail(error, http_call);
    }
  }

  async function search(
    http_call: HTTPCall,
    find: (query: string, limit: number) => unknown[],
    given: Params,
  ): Promise<AnsweredCall> {
    try {
      const { text_bytes: bytes, others } = readTextBudget(given);
      const { params, missing } = searchParams.fromBody(readArguments(others, SEARCH_SCHEMA).given);
      if (missing.length > 0) {
        throw new NodeError("invalid_parameter", 'Parameter "query" is needed.', { param: "query" });
      }
      const query = String(params.query);
      const products = find(query, Number(params.limit));
      return { result: dataResult(JSON.stringify({ ...options.stamp(), query, products }), { bytes }) };
    } catch (error) {
      return fail(error, http_call);
    }
  }

  return async (call) => {
    const { http_call, params, tools } = call;
    const { name, arguments: given = {} } = params;
    const tool = typeof name === "string" ? tools.get(name) : undefined;
    const off = tool || typeof name !== "string" ? undefined : findOffTool(options.catalog.off, name);
    if (off) {
      http_call.count(false);
      return fail(off.refuse(), http_call);
    }
    if (!tool || !isObject(given)) {
      http_call.count(false);
      const shown = typeof name === "string" ? name.toWellFormed().slice(0, 100) : "none";
      return invalidParams(tool ? '"arguments" must be an object' : `Unknown tool: ${shown}`);
    }
    if (tool.kind === "product") return sellProduct(call, tool.product, given);
    if (tool.kind === "any") return sellAny(call, tool.products, given);
    http_call.count(false);
    if (tool.kind === "wallet") return showWallet(http_call, tool.show, given);
    if (tool.kind === "watch") return askWatch(call, tool.ask, given);
    return tool.kind === "free" ? answerFree(http_call, tool.route, given) : search(http_call, tool.search, given);
  };
}
