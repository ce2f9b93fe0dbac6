import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { ExportResultCode, W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { isNodeError, messageOf, UpstreamError } from "../core/errors.ts";
import type { SpanAttributes, SpanForm, Tracer } from "./tracer.ts";

export interface OTLPOptions {
  /** The collector, such as "http://127.0.0.1:4318". */
  readonly address: string;
  /** Of the node, as OpenTelemetry names it: service.name and the like. */
  readonly resource: SpanAttributes;
  readonly version: string;
  /** Of the requests that no proxy decided about, between 0 and 1. */
  readonly sample_ratio: number;
  /** Told when spans could not be handed over, and of the next time only after one that worked. */
  readonly onFailure: (why: string) => void;
}

/** A collector that does not answer must not hold up a stop. */
const EXPORT_MS_MAX = 2_000;
/** The exporter gives up first, and says why. */
const GRACE_MS = 500;

/** The request that is worked on, as deep as it is now. */
interface SpanScope {
  readonly context: Context;
  /** False once it was answered: timers that were started in it go on for as long as the node runs. */
  readonly request: { open: boolean };
}

const HEADERS = {
  keys: (headers: Headers) => [...headers.keys()],
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
};

/** Sends spans to a collector, some at a time. Importing it loads the SDK: import it when traces are wanted. */
export function createOTLPTracer({ address, resource, version, sample_ratio, onFailure }: OTLPOptions): Tracer {
  const url = `${address.replace(/\/+$/, "")}/v1/traces`;
  const exporter = tellFailures(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS_MAX }), onFailure);
  const provider = new TracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sample_ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS_MAX + GRACE_MS })],
  });
  const tracer = provider.getTracer("intel-node", version);
  const propagator = new W3CTraceContextPropagator();
  const places = new AsyncLocalStorage<SpanScope>();

  /** Runs the work with its span as the place that deeper spans are put under. */
  const run = <T>(span: Span, place: SpanScope, { form, work, onEnd }: Running<T>): T => {
    const succeed = (result: Awaited<T>): void => {
      if (form.outcome) span.setAttributes(form.outcome(result));
      onEnd?.();
      span.end();
    };
    const fail = (error: unknown): void => {
      span.setAttribute("error.type", nameError(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      onEnd?.();
      span.end();
    };
    let result: T;
    try {
      result = places.run(place, work);
    } catch (error) {
      fail(error);
      throw error;
    }
    // The waiting code goes on after the span has ended: what it does next is not part of the span.
    if (result instanceof Promise) result.then(succeed).catch(fail);
    else succeed(result as Awaited<T>);
    return result;
  };

  return {
    request(form, work) {
      const parent = form.from === null ? ROOT_CONTEXT : propagator.extract(ROOT_CONTEXT, form.from, HEADERS);
      const { name, attributes = {} } = form;
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      // It is not among those that are kept.
      if (!span.isRecording()) return work();
      const request = { open: true };
      const onEnd = () => {
        request.open = false;
      };
      return run(span, { context: trace.setSpan(parent, span), request }, { form, work, onEnd });
    },
    span(form, work) {
      const place = places.getStore();
      if (!place?.request.open) return work();
      const { name, attributes = {} } = form;
      const kind = form.kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL;
      const span = tracer.startSpan(name, { kind, attributes }, place.context);
      return run(span, { ...place, context: trace.setSpan(place.context, span) }, { form, work });
    },
    // What could not be sent was told when it was tried.
    stop: () => provider.shutdown().catch(() => undefined),
  };
}

interface Running<T> {
  readonly form: SpanForm<T>;
  readonly work: () => T;
  readonly onEnd?: () => void;
}

/** The code of an error; never its message, which may name what a buyer asked for. */
function nameError(error: unknown): string {
  if (isNodeError(error)) return error.code;
  return error instanceof UpstreamError ? error.kind : "internal_error";
}

/** The SDK keeps failures to itself. */
function tellFailures(exporter: SpanExporter, onFailure: (why: string) => void): SpanExporter {
  let is_failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !is_failing) onFailure(messageOf(result.error));
        is_failing = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
