import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { settleComputed } from "../../src/catalog/computed.ts";
import type { FetchContext, Observation, Source } from "../../src/catalog/context.ts";
import { createAsking } from "../../src/catalog/failover.ts";
import type { Model } from "../../src/catalog/model.ts";
import type { NodeFacts } from "../../src/catalog/node-facts.ts";
import { createParamsParser } from "../../src/catalog/params.ts";
import type { AnyProduct } from "../../src/catalog/product.ts";
import type { ProviderDefinition } from "../../src/catalog/provider.ts";
import type { UpstreamRequest } from "../../src/catalog/request.ts";
import { createRounder } from "../../src/catalog/round-data.ts";
import { walk } from "../../src/config/walk.ts";
import { renderTime } from "../../src/core/clock.ts";
import { UpstreamError } from "../../src/core/errors.ts";
import { createMemoryRecords } from "../../src/records/memory-records.ts";
import type { Records } from "../../src/records/record-chain.ts";
import { listErrorForms } from "../../src/upstream/call.ts";
import { findErrorForm, readValue } from "../../src/upstream/read-answer.ts";
import { judgeMeaning } from "../../src/upstream/status.ts";
import { createTestFacts } from "./test-facts.ts";
import { createTestSigner } from "./test-signer.ts";

type Body = unknown | ((request: { path: string; chain: string | undefined; body: unknown }) => unknown) | Error;

export interface ProductRun {
  readonly params?: Record<string, unknown>;
  readonly now_ms: number;
  /** By "<provider_id> <METHOD> <path prefix, or chain name for chain providers>"; the longest match answers. */
  readonly bodies: Readonly<Record<string, Body>>;
  readonly unusable?: readonly string[];
  /** Keys of `[providers.<id>]` that providers declare themselves; defaults unless given. */
  readonly provider_config?: Readonly<Record<string, object>>;
  /** The plugin's own table of the configuration; defaults unless given. */
  readonly plugin_config?: object;
  readonly history?: Readonly<Record<string, readonly Observation[]>>;
  /** What the node knows of itself; see `createTestFacts`. */
  readonly node?: Partial<NodeFacts>;
  /** Default: none were ever made. */
  readonly records?: Records;
  /** Default: none is configured. */
  readonly model?: Model;
}

export interface ProductResult {
  readonly data: Record<string, unknown>;
  readonly sources: readonly Source[];
  readonly warnings: readonly string[];
  readonly as_of: string;
  readonly inputs: unknown;
}

const notHere = (): never => {
  throw new Error("this run has no tables and no datasets");
};

/** A FetchContext that answers from recorded bodies and reads them as the real client does. */
export function createRecordedContext(run: ProductRun): FetchContext & { sources: Source[] } {
  const sources: Source[] = [];
  const record = (provider: string, url: string, error?: string) =>
    sources.push({ provider, url, fetched_at: renderTime(run.now_ms), ok: !error, ...(error ? { error } : {}) });
  const { signal } = new AbortController();
  const usable = (provider: ProviderDefinition) => !run.unusable?.includes(provider.id);
  return {
    now_ms: run.now_ms,
    signal,
    usable,
    countAddresses: () => 1,
    inTurn: async (piece) => piece(),
    ...createAsking({ usable, signal }),
    sources,
    history: {
      read: async (series, { since_ms = 0, until_ms = Number.MAX_SAFE_INTEGER, limit = 100_000 } = {}) =>
        (run.history?.[series] ?? []).filter((o) => o.at_ms >= since_ms && o.at_ms <= until_ms).slice(-limit),
    },
    records: run.records ?? createMemoryRecords(() => run.now_ms),
    table: notHere,
    dataset: notHere,
    signer: createTestSigner(),
    node: createTestFacts(run.node),
    askStranger: async () => ({ ok: false, rule: "dns", reason: "no network in tests", hops: [] }),
    config: (of: TObject | ProviderDefinition) => {
      const is_provider = "base_urls" in of;
      const given = is_provider ? run.provider_config?.[of.id] : run.plugin_config;
      return walk(is_provider ? (of.config ?? Type.Object({})) : of, given ?? {}).value as never;
    },
    cite: (source) => sources.push(source),
    payer: null,
    model: run.model ?? null,
    ask: async (path) => {
      throw new UpstreamError("upstream_unavailable", path, "no other product is recorded");
    },
    async get<S extends TSchema, T = Static<S>>(
      provider: ProviderDefinition,
      request: UpstreamRequest<S, T>,
    ): Promise<T> {
      const method = request.body === undefined ? "GET" : "POST";
      const name = `${provider.id} ${method} ${request.chain ?? request.path}`;
      const key = Object.keys(run.bodies)
        .filter((candidate) => name.startsWith(candidate))
        .sort((a, b) => b.length - a.length)[0];
      const fail = (kind: UpstreamError["kind"], why: string) => {
        record(provider.id, request.path, kind);
        return new UpstreamError(kind, provider.id, why);
      };
      if (key === undefined) throw fail("upstream_unavailable", `no recorded body for "${name}"`);
      const recorded = run.bodies[key];
      const body =
        typeof recorded === "function"
          ? recorded({ path: request.path, chain: request.chain, body: request.body })
          : recorded;
      if (body instanceof Error) {
        record(provider.id, request.path, body instanceof UpstreamError ? body.kind : "upstream_unavailable");
        throw body;
      }
      const form = findErrorForm(body, 200, listErrorForms(provider, request));
      if (form) throw fail(judgeMeaning(form.means, "").kind, "an error body it knows");
      const read = readValue(body, request, { facts: { status: 200, bytes: 0 } });
      if (!read.ok) throw fail("upstream_bad_response", read.reason);
      record(provider.id, request.path);
      return read.reading as T;
    },
  };
}

/** Runs one product as the node would, against recorded bodies. Throws what the product throws. */
export async function runProduct(product: AnyProduct, run: ProductRun): Promise<ProductResult> {
  const context = createRecordedContext(run);
  const search = new URLSearchParams(
    Object.entries(run.params ?? {}).map(([name, value]) => [name, String(value)] as [string, string]),
  ).toString();
  const { params } = createParamsParser(product.params, product.normalise).fromQuery(search);
  const inputs = await product.fetch(context, params);
  const { as_of_ms, data: made, warnings } = settleComputed(product.compute(inputs, { params, now_ms: run.now_ms }));
  const data = createRounder(product.data)?.(made) ?? made;
  if (!Value.Check(product.data, data)) {
    const fault = Value.Errors(product.data, data).First();
    throw new Error(`data does not match its schema at ${fault?.path}: ${fault?.message}`);
  }
  return { data, sources: context.sources, warnings, as_of: renderTime(as_of_ms), inputs };
}
