import type { SimulatedAnswer, SimulatedWorld, Simulator } from "../catalog/simulator.ts";
import { waitForHangUp } from "./wait-for-hang-up.ts";

export const FAULTS = [
  "none",
  "http429",
  "http500",
  "timeout",
  "truncated",
  "html",
  "wrong_shape",
  "empty",
  "null_values",
  "stale",
] as const;
export type Fault = (typeof FAULTS)[number];

/** The simulated providers: answers, call counts and faults. */
export interface SimulatedUpstreams {
  add(simulators: readonly Simulator[]): void;
  respond(provider: string, request: Request, route: { path: string; chain?: string }): Promise<Response>;
  status(): Readonly<Record<string, { calls: number; fault: Fault }>>;
  /** @throws RangeError for a provider that is not simulated. `times` calls fail, then none; "*" is every provider. */
  setFault(provider: string, fault: Fault, times?: number): void;
}

interface Entry {
  readonly simulator: Simulator;
  calls: number;
  fault: Fault;
  times_left: number;
}

const STALE_MS = 8 * 86_400_000;
/** A hung upstream is let go at some time, so that a test that forgets to hang up ends. */
const HANG_MS_MAX = 30_000;
const PAGE =
  "<!doctype html><html><head><title>Just a moment...</title></head><body>checking your browser</body></html>";

const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json", ...headers } });

/** Every list emptied; an answer without any list becomes an empty object. */
function emptied(value: unknown): unknown {
  let lists = 0;
  const walk = (inner: unknown): unknown => {
    if (Array.isArray(inner)) {
      lists += 1;
      return [];
    }
    if (typeof inner !== "object" || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, walk(one)]));
  };
  const result = walk(value);
  return lists > 0 ? result : {};
}

/** Every plain value turned to null; the shape stays. */
function nulled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nulled);
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nulled(one)]));
}

const toResponse = (answer: SimulatedAnswer): Response =>
  "json" in answer ? json(answer.json, answer.status) : new Response(answer.text, { status: answer.status ?? 200 });

/** A good answer as the fault leaves it; its status stays. */
function spoil(answer: SimulatedAnswer, fault: "truncated" | "empty" | "null_values"): Response {
  const { status = 200 } = answer;
  const body = "json" in answer ? answer.json : answer.text;
  if (fault === "truncated") {
    const whole = typeof body === "string" ? body : JSON.stringify(body);
    const half = whole.slice(0, Math.floor(whole.length / 2));
    return new Response(half, { status, headers: { "content-type": "application/json" } });
  }
  if (!("json" in answer)) return new Response(fault === "empty" ? "" : "null", { status });
  return json(fault === "empty" ? emptied(body) : nulled(body), status);
}

/** The parsed body of a POST, undefined when there is none; null for what is no JSON. */
async function readBody(request: Request): Promise<{ readonly body: unknown } | null> {
  const text = request.method === "POST" ? await request.text() : "";
  try {
    return { body: text === "" ? undefined : JSON.parse(text) };
  } catch {
    // The caller answers 400, as an upstream does.
    return null;
  }
}

export function createSimulatedUpstreams(world: SimulatedWorld, simulators: readonly Simulator[]): SimulatedUpstreams {
  const entries = new Map<string, Entry>();
  const past: SimulatedWorld = {
    now: () => world.now() - STALE_MS,
    price: (symbol, at_ms) => world.price(symbol, at_ms ?? world.now() - STALE_MS),
    noise: world.noise,
  };
  const add = (list: readonly Simulator[]) => {
    for (const simulator of list) {
      entries.set(simulator.provider, { simulator, calls: 0, fault: "none", times_left: Number.POSITIVE_INFINITY });
    }
  };
  add(simulators);

  const takeFault = (entry: Entry): Fault => {
    const { fault } = entry;
    if (fault === "none") return fault;
    entry.times_left -= 1;
    if (entry.times_left <= 0) entry.fault = "none";
    return fault;
  };

  return {
    add,
    async respond(provider, request, { path, chain }) {
      const entry = entries.get(provider);
      if (!entry) return json({ error: `${provider} is not simulated` }, 404);
      entry.calls += 1;
      const fault = takeFault(entry);
      if (fault === "http429") return json({ error: "rate limited" }, 429, { "retry-after": "1" });
      if (fault === "http500") return json({ error: "internal" }, 500);
      if (fault === "html") return new Response(PAGE, { headers: { "content-type": "text/html" } });
      if (fault === "wrong_shape") return json({ unexpected: [{ shape: true }], version: 2 });
      if (fault === "timeout") {
        await waitForHangUp(request.signal, HANG_MS_MAX);
        return json({ error: "late" }, 504);
      }
      const read = await readBody(request);
      if (!read) return json({ error: "the body is not JSON" }, 400);
      const answer = entry.simulator.respond(
        {
          method: request.method,
          path,
          query: new URL(request.url).searchParams,
          headers: request.headers,
          body: read.body,
          ...(chain === undefined ? {} : { chain }),
        },
        fault === "stale" ? past : world,
      );
      if (fault === "none" || fault === "stale") return toResponse(answer);
      return spoil(answer, fault);
    },
    status: () => Object.fromEntries([...entries].map(([id, { calls, fault }]) => [id, { calls, fault }])),
    setFault(provider, fault, times = Number.POSITIVE_INFINITY) {
      const chosen = provider === "*" ? [...entries.values()] : [entries.get(provider)];
      for (const entry of chosen) {
        if (!entry) throw new RangeError(`"${provider}" is not simulated: ${[...entries.keys()].join(", ")}`);
        entry.fault = fault;
        entry.times_left = times;
      }
    },
  };
}
