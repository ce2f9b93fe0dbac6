import type {
  SimulatedAnswer,
  SimulatedRequest,
  SimulatedSocket,
  SimulatedWorld,
  Simulator,
} from "../catalog/simulator.ts";
import { fillAnswer } from "./recorded-answers.ts";
import { renderAnswer } from "./simulated-answer.ts";
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
export type ScriptedFault = (typeof FAULTS)[number];

/** One call of a provider. */
export interface SimulatedRoute {
  readonly path: string;
  readonly host?: string;
  readonly chain?: string;
}

/** The simulated providers: answers, call counts and faults. */
export interface SimulatedUpstreams {
  add(simulators: readonly Simulator[]): void;
  respond(provider: string, request: Request, route: SimulatedRoute): Promise<Response>;
  /** An answer of another world, such as that of another time: without faults, and not counted. */
  respondIn(seen: SimulatedWorld, provider: string, request: Request, route: SimulatedRoute): Promise<Response>;
  /** Connects to a provider's WebSocket; a response says why that is refused. */
  connect(provider: string, request: Request, route: SimulatedRoute): SimulatedSocket | Response;
  status(): Readonly<Record<string, { calls: number; fault: ScriptedFault }>>;
  /** @throws RangeError for a provider that is not simulated. `times` calls fail, then none; "*" is every provider. */
  setFault(provider: string, fault: ScriptedFault, times?: number): void;
}

interface Entry {
  readonly simulator: Simulator;
  calls: number;
  fault: ScriptedFault;
  times_left: number;
  /** Number of calls in the quota's window that began at that time. */
  counted_from_ms: number;
  counted: number;
}

const STALE_MS = 8 * 86_400_000;
/** The longest a hung upstream waits, so that a test that forgets to hang up ends. */
const HANG_MS_MAX = 30_000;
const PAGE =
  "<!doctype html><html><head><title>Just a moment...</title></head><body>checking your browser</body></html>";

const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json", ...headers } });

/** Empties every list; an answer without any list becomes an empty object. */
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

/** Turns every plain value into null; the shape stays. */
function nulled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nulled);
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, nulled(one)]));
}

const TEXT: Readonly<Record<"truncated" | "empty" | "null_values", (whole: Uint8Array) => Uint8Array | string>> = {
  truncated: (whole) => whole.subarray(0, Math.floor(whole.length / 2)),
  empty: () => "",
  null_values: () => "null",
};

/** A good answer after a fault has spoilt it; its status stays. */
async function spoil(answer: SimulatedAnswer, fault: "truncated" | "empty" | "null_values"): Promise<Response> {
  const { status = 200 } = answer;
  if ("json" in answer && fault !== "truncated") {
    return json(fault === "empty" ? emptied(answer.json) : nulled(answer.json), status);
  }
  const whole = renderAnswer(answer, "");
  const spoiled = TEXT[fault](new Uint8Array(await whole.arrayBuffer()));
  return new Response(spoiled, { status, headers: whole.headers });
}

/** The parsed body of a POST; undefined without a body; null if it is neither JSON nor a form. */
async function readBody(request: Request): Promise<{ readonly body: unknown } | null> {
  const text = request.method === "POST" ? await request.text() : "";
  if (request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) {
    return { body: Object.fromEntries(new URLSearchParams(text)) };
  }
  try {
    return { body: text === "" ? undefined : JSON.parse(text) };
  } catch {
    // The caller answers 400, as an upstream does.
    return null;
  }
}

/** A JSON-RPC batch is answered call by call, as nodes do. */
function answerBatch(respond: (body: unknown) => SimulatedAnswer, body: unknown): SimulatedAnswer {
  if (!Array.isArray(body)) return respond(body);
  return { json: body.map(respond).map((one) => ("json" in one ? one.json : null)) };
}

export function createSimulatedUpstreams(world: SimulatedWorld, simulators: readonly Simulator[]): SimulatedUpstreams {
  const entries = new Map<string, Entry>();
  const past: SimulatedWorld = {
    ...world,
    now: () => world.now() - STALE_MS,
    price: (symbol, at_ms) => world.price(symbol, at_ms ?? world.now() - STALE_MS),
  };
  const add = (list: readonly Simulator[]) => {
    for (const simulator of list) {
      entries.set(simulator.provider, {
        simulator,
        calls: 0,
        fault: "none",
        times_left: Number.POSITIVE_INFINITY,
        counted_from_ms: Number.NEGATIVE_INFINITY,
        counted: 0,
      });
    }
  };
  add(simulators);

  const takeFault = (entry: Entry): ScriptedFault => {
    const { fault } = entry;
    if (fault === "none") return fault;
    entry.times_left -= 1;
    if (entry.times_left <= 0) entry.fault = "none";
    return fault;
  };

  /** Counts a call, and returns whether it exceeds the provider's quota. */
  const isOverQuota = (entry: Entry): boolean => {
    const { quota } = entry.simulator;
    if (!quota) return false;
    const now_ms = world.now();
    if (now_ms - entry.counted_from_ms >= quota.per_s * 1000 || now_ms < entry.counted_from_ms) {
      entry.counted_from_ms = now_ms;
      entry.counted = 0;
    }
    entry.counted += 1;
    return entry.counted > quota.calls;
  };
  const describe = (request: Request, { path, host, chain }: SimulatedRoute, body: unknown): SimulatedRequest => ({
    method: request.method,
    path,
    query: new URL(request.url).searchParams,
    headers: request.headers,
    body,
    ...(host === undefined ? {} : { host }),
    ...(chain === undefined ? {} : { chain }),
  });

  /** The simulator's answer, completed from the publisher's record. */
  const play = ({ simulator }: Entry, asked: SimulatedRequest, then: SimulatedWorld): SimulatedAnswer =>
    fillAnswer(simulator.respond(asked, then), simulator.provider, asked);

  /** The simulator's answer as HTTP, before any fault. */
  const render = (
    answer: SimulatedAnswer,
    request: Request,
    { path }: SimulatedRoute,
  ): Promise<Response> | Response => {
    const root = new URL(request.url).pathname.slice(0, -path.length || undefined);
    return renderAnswer(answer, root.replace(/@[a-z0-9_]+$/, ""), request.headers);
  };

  return {
    add,
    async respondIn(seen, provider, request, route) {
      const entry = entries.get(provider);
      if (!entry) return json({ error: `${provider} is not simulated` }, 404);
      const read = await readBody(request);
      if (!read) return json({ error: "the body is not JSON" }, 400);
      const reply = (body: unknown) => play(entry, describe(request, route, body), seen);
      return render(answerBatch(reply, read.body), request, route);
    },
    connect(provider, request, route) {
      const entry = entries.get(provider);
      if (!entry) return json({ error: `${provider} is not simulated` }, 404);
      entry.calls += 1;
      const fault = takeFault(entry);
      if (fault === "timeout") return { hear: () => [] };
      if (fault !== "none" && fault !== "stale") return json({ error: fault }, fault === "http429" ? 429 : 500);
      const socket = entry.simulator.connect?.(describe(request, route, undefined), fault === "stale" ? past : world);
      return socket ?? json({ error: "no such socket" }, 404);
    },
    async respond(provider, request, route) {
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
      if (isOverQuota(entry)) return json({ error: "quota exceeded" }, 429);
      const then = fault === "stale" ? past : world;
      const answer = answerBatch((body) => play(entry, describe(request, route, body), then), read.body);
      if (fault === "none" || fault === "stale") return render(answer, request, route);
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
