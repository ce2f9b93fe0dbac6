import { Type } from "@sinclair/typebox";
import type { History } from "../../src/catalog/context.ts";
import { defineProvider, type ProviderDefinition } from "../../src/catalog/provider.ts";
import type { UpstreamRequest } from "../../src/catalog/request.ts";
import { type SettableClock, systemTimers } from "../../src/core/clock.ts";
import { UpstreamError } from "../../src/core/errors.ts";
import { createUpstream, type Upstream, type UpstreamOptions } from "../../src/upstream/client.ts";
import type { UpstreamEvent } from "../../src/upstream/events.ts";
import type { ProviderSettings } from "../../src/upstream/settings.ts";
import { createStillClock } from "./still-clock.ts";

export interface FakeServer {
  readonly url: string;
  /** Requests received so far. */
  readonly requests: { method: string; path: string; headers: Headers; body: string }[];
  stop(): Promise<void>;
}

/** A loopback HTTP server that answers by `respond`; `n` counts requests from 1. */
export function startFakeServer(respond: (request: Request, n: number) => Response | Promise<Response>): FakeServer {
  const requests: FakeServer["requests"] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const body = await request.text();
      requests.push({ method: request.method, path: pathname + search, headers: request.headers, body });
      return respond(request, requests.length);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, requests, stop: () => server.stop(true) };
}

export function createTestProvider(change: Partial<ProviderDefinition> = {}): ProviderDefinition {
  return defineProvider({
    id: "test_api",
    title: "Test API",
    docs_url: "https://example.com/docs",
    base_urls: ["http://127.0.0.1:1"],
    terms: { class: "open", note: "Made for tests." },
    limits: { rate_per_s: 1_000, burst: 1_000, timeout_ms: 60_000, attempts: 1, body_bytes_max: 10_000 },
    ...change,
  });
}

export const VALUE = Type.Object({ value: Type.Number() });

export const createRequest = (change: Partial<UpstreamRequest<typeof VALUE>> = {}): UpstreamRequest<typeof VALUE> => ({
  path: "/v1/thing",
  schema: VALUE,
  ttl_ms: 0,
  ...change,
});

export interface TestUpstream {
  readonly upstream: Upstream;
  readonly clock: SettableClock;
  readonly events: UpstreamEvent[];
  /** Waits asked for; time was let pass by each of them instead of waiting. */
  readonly slept_ms: number[];
  /** Lets time pass, and the clock with it. */
  pass(ms: number): void;
}

const NO_HISTORY: History = { read: async () => [] };

export function createTestUpstream(
  change: Partial<Omit<UpstreamOptions, "settings">> & { settings?: Partial<ProviderSettings> } = {},
): TestUpstream {
  const clock = createStillClock();
  const events: UpstreamEvent[] = [];
  const slept_ms: number[] = [];
  let elapsed_ms = 0;
  const pass = (ms: number): void => {
    elapsed_ms += ms;
    clock.advance(ms);
  };
  const upstream = createUpstream({
    clock,
    version: "0.0.0-test",
    allow_terms: ["open", "attribution", "unclear"],
    chain_rpc: () => undefined,
    simulated: false,
    random: () => 0.5,
    sleep: async (ms) => {
      slept_ms.push(ms);
      pass(ms);
    },
    // What refills a provider's rate must not depend on how fast this machine is.
    timers: { elapsed_ms: () => elapsed_ms, after: systemTimers.after },
    log: (event) => events.push(event),
    ...change,
    settings: () => ({ enabled: true, terms_ack: false, ...change.settings }),
  });
  return { upstream, clock, events, slept_ms, pass };
}

export const createRun = (test: TestUpstream, signal: AbortSignal = new AbortController().signal) =>
  test.upstream.createContext({ now_ms: test.clock.now(), signal, history: NO_HISTORY });

/** The UpstreamError a call fails with. Fails the test when the call succeeds or throws anything else. */
export async function getFailure(call: Promise<unknown>): Promise<UpstreamError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof UpstreamError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}
