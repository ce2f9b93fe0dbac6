import type { AccessMethod } from "../calls/access.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";
import type { AskingRunner } from "../catalog/runner.ts";
import type { RouteTrace } from "../http/app.ts";
import { createProxyCheck } from "../http/client-address.ts";
import { peerOf } from "../http/divert.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { FacilitatorPool } from "../payments/facilitators/pool.ts";
import type { SpanForm, Tracer } from "../telemetry/tracer.ts";
import type { Fetch } from "../upstream/attempt.ts";
import type { Upstream } from "../upstream/client.ts";
import type { StartOptions } from "./parts.ts";

/**
 * Traces are put around the interfaces that the parts of the node know each other by: no part knows of them, and a node
 * without traces is wired as if tracing did not exist.
 */
type MaybeTracer = Tracer | undefined;

/** What tells the operator's collector what requests spend their time on; undefined unless one is configured. */
export async function composeTracer({
  config,
  log,
  version,
}: Pick<StartOptions, "config" | "log" | "version">): Promise<MaybeTracer> {
  const { otlp, sample_ratio } = config.telemetry;
  if (otlp === undefined) return undefined;
  // Nobody without a collector pays for the SDK.
  const { createOTLPTracer } = await import("../telemetry/otlp-tracer.ts");
  const { name, instance } = config.node;
  return createOTLPTracer({
    address: otlp,
    version,
    sample_ratio,
    resource: {
      "service.name": name,
      "service.version": version,
      ...(instance === undefined ? {} : { "service.instance.id": instance }),
    },
    onFailure: (why) => log.warn({ event: "traces_not_sent", why }),
  });
}

/** Goes on with a trace only where a proxy of the operator's says so: anybody can send the header. */
export function createRouteTrace(tracer: MaybeTracer, trusted_proxies: readonly string[]): RouteTrace | undefined {
  if (tracer === undefined) return undefined;
  const isProxy = createProxyCheck(trusted_proxies);
  return ({ request, route }, work) => {
    const method = METHODS.has(request.method) ? request.method : "_OTHER";
    return tracer.request(
      {
        name: route === undefined ? method : `${method} ${route}`,
        attributes: { "http.request.method": method, ...(route === undefined ? {} : { "http.route": route }) },
        from: isProxy(peerOf(request)) ? request.headers : null,
        outcome: ({ status, headers }) => ({
          "http.response.status_code": status,
          "intel_node.request_id": headers.get("x-request-id") ?? "",
        }),
      },
      work,
    );
  };
}

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const GROUPS = ["payments", "keys", "charges", "coupons", "receipts", "landings", "statements"] as const;

/** Every command and query of the books in a span. */
export function traceLedger(ledger: Ledger, tracer: MaybeTracer): Ledger {
  if (tracer === undefined) return ledger;
  const traced = Object.fromEntries(
    GROUPS.map((group) => [
      group,
      wrapMethods(ledger[group], (command) => (work) => tracer.span({ name: `ledger ${group}.${command}` }, work)),
    ]),
  );
  return new Proxy(ledger, {
    get: (books, name) =>
      typeof name === "string" && Object.hasOwn(traced, name) ? traced[name] : Reflect.get(books, name),
  });
}

/** A method's call, around which something is done. */
type Around = (work: () => unknown) => unknown;

/** The same object, with its methods called by way of `around`. */
function wrapMethods(target: object, around: (name: string) => Around): object {
  const wrapped = new WeakMap<object, unknown>();
  return new Proxy(target, {
    get(self, name) {
      const method: unknown = Reflect.get(self, name);
      if (typeof method !== "function" || typeof name !== "string") return method;
      if (!wrapped.has(method)) {
        const inSpan = around(name);
        wrapped.set(method, (...given: unknown[]) => inSpan(() => Reflect.apply(method, self, given)));
      }
      return wrapped.get(method);
    },
  });
}

/** The two calls of a payment that wait for a facilitator. */
export function tracePool(pool: FacilitatorPool, tracer: MaybeTracer): FacilitatorPool {
  if (tracer === undefined) return pool;
  const form = <T extends { readonly outcome: { readonly kind: string }; readonly facilitator: string | null }>(
    step: "verify" | "settle",
    network: string,
  ): SpanForm<Promise<T>> => ({
    name: `payment ${step}`,
    kind: "client",
    attributes: { "intel_node.network": network },
    outcome: ({ outcome, facilitator }) => ({
      "intel_node.outcome": outcome.kind,
      ...(facilitator === null ? {} : { "intel_node.facilitator": facilitator }),
    }),
  });
  const verify: FacilitatorPool["verify"] = (network, payment) =>
    tracer.span(form("verify", network), () => pool.verify(network, payment));
  const settle: FacilitatorPool["settle"] = (first, payment) =>
    tracer.span(form("settle", payment.requirement.network), () => pool.settle(first, payment));
  return override(pool, { verify, settle });
}

/** Ways to pay for a call: the whole of what the gate does, until the answer is there. */
export const traceAccess = (access: readonly AccessMethod[], tracer: MaybeTracer): readonly AccessMethod[] =>
  tracer === undefined
    ? access
    : access.map((method) =>
        override(method, {
          serve: (call) =>
            tracer.span({ name: `gate ${method.id}`, attributes: { "intel_node.product": call.product.path } }, () =>
              method.serve(call),
            ),
        }),
      );

export function traceRunner(runner: AskingRunner, tracer: MaybeTracer): AskingRunner {
  if (tracer === undefined) return runner;
  return override(runner, {
    produce: (product, request, by) =>
      tracer.span({ name: "produce", attributes: { "intel_node.product": product.path } }, () =>
        runner.produce(product, request, by),
      ),
  });
}

/** What runs ask of providers: kept answers and waiting for a turn included, so that what takes long can be told. */
export function traceUpstream(upstream: Upstream, tracer: MaybeTracer): Upstream {
  if (tracer === undefined) return upstream;
  const form = ({ id }: ProviderDefinition) => ({ name: `provider ${id}`, attributes: { "intel_node.provider": id } });
  return override(upstream, {
    createContext(run) {
      const context = upstream.createContext(run);
      return override(context, {
        get: (provider, request) => tracer.span(form(provider), () => context.get(provider, request)),
        download: (provider, request) => tracer.span(form(provider), () => context.download(provider, request)),
      });
    },
  });
}

/** Attempts at a provider's server. Its address may hold the operator's key: it is not told. */
export const traceFetch =
  (fetch: Fetch, tracer: Tracer): Fetch =>
  (url, init) =>
    tracer.span(
      {
        name: `HTTP ${init.method ?? "GET"}`,
        kind: "client",
        attributes: { "http.request.method": init.method ?? "GET" },
        outcome: ({ status }) => ({ "http.response.status_code": status }),
      },
      () => fetch(url, init),
    );

/** The same object with some of its methods replaced; what it computes when it is asked stays so. */
const override = <T extends object>(target: T, methods: Partial<T>): T =>
  new Proxy(target, { get: (self, name) => Reflect.get(Object.hasOwn(methods, name) ? methods : self, name) });
