import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { SettableClock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { SandboxChain } from "./chains/types.ts";
import type { SandboxFacilitator } from "./facilitator.ts";
import type { Journal } from "./journal.ts";
import { FAULTS, type SimulatedUpstreams } from "./upstreams.ts";

export interface ControlParts {
  readonly clock: SettableClock;
  readonly chains: readonly SandboxChain[];
  readonly facilitator: (name: string) => SandboxFacilitator;
  readonly upstreams: SimulatedUpstreams;
  readonly journal: Journal;
  /** Name and URL of every door. */
  readonly doors: () => Readonly<Record<string, string | null | Readonly<Record<string, string>>>>;
  readonly onLimits: (enabled: boolean) => void;
  readonly onClock: () => void;
}

const strict = { additionalProperties: false } as const;
const Amount = Type.Union([Type.String({ pattern: "^(0|[1-9][0-9]{0,30})$" }), Type.Integer({ minimum: 0 })]);
const Times = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }));
const Fund = Type.Object(
  { network: Type.String(), address: Type.String({ maxLength: 100 }), amount_atomic: Amount },
  strict,
);
const FacilitatorMode = Type.Object(
  {
    name: Type.Optional(Type.String({ pattern: "^[a-z0-9-]{1,30}$" })),
    verify: Type.Optional(Type.String({ maxLength: 200 })),
    settle: Type.Optional(Type.String({ maxLength: 200 })),
    delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 120_000 })),
    times: Times,
    dead: Type.Optional(Type.Boolean()),
  },
  strict,
);
const UpstreamFault = Type.Object(
  {
    provider: Type.String({ maxLength: 60 }),
    fault: Type.Union(FAULTS.map((fault) => Type.Literal(fault))),
    times: Times,
  },
  strict,
);
const ClockSetting = Type.Object(
  {
    now: Type.Optional(
      Type.Union([Type.String({ maxLength: 40 }), Type.Integer({ minimum: 0, maximum: 253402300799000 })]),
    ),
    advance_s: Type.Optional(Type.Number({ minimum: -1_000_000_000, maximum: 1_000_000_000 })),
  },
  strict,
);
const Limits = Type.Object({ enabled: Type.Boolean() }, strict);

class ControlError extends Error {
  override readonly name = "ControlError";
}

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });

async function readBody<S extends TSchema>(request: Request, schema: S): Promise<Static<S>> {
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    throw new ControlError("the body is not JSON");
  }
  if (Value.Check(schema, body)) return body;
  const fault = Value.Errors(schema, body).First();
  throw new ControlError(`${fault?.path || "body"}: ${fault?.message}`);
}

type Door = (request: Request) => Promise<unknown> | unknown;

/** The control door: everything in the sandbox is steered here. Only ever mounted in sandbox mode, for loopback. */
export function createControl(parts: ControlParts): (request: Request) => Promise<Response> {
  const { clock, chains, upstreams, journal } = parts;
  const renderFacilitator = (name = "main") => {
    const facilitator = parts.facilitator(name);
    return { ...facilitator.calls(), mode: facilitator.mode() };
  };

  const doors: Readonly<Record<string, Door>> = {
    "GET /__sandbox": () => parts.doors(),
    "GET /__sandbox/chain": () => ({
      balances: Object.fromEntries(chains.map((chain) => [chain.network, chain.balances()])),
      settlements: chains.flatMap((chain) => chain.settlements()),
    }),
    "POST /__sandbox/fund": async (request) => {
      const { network, address, amount_atomic } = await readBody(request, Fund);
      const chain = chains.find((one) => one.network === network);
      if (!chain) throw new ControlError(`network: one of ${chains.map((one) => one.network).join(", ")}`);
      chain.fund(address, BigInt(amount_atomic));
      return { balances: { [network]: chain.balances() } };
    },
    "GET /__sandbox/facilitator": (request) =>
      renderFacilitator(new URL(request.url).searchParams.get("name") ?? "main"),
    "POST /__sandbox/facilitator": async (request) => {
      const { name = "main", ...mode } = await readBody(request, FacilitatorMode);
      parts.facilitator(name).setMode(mode);
      return renderFacilitator(name);
    },
    "GET /__sandbox/upstreams": () => ({ providers: upstreams.status() }),
    "POST /__sandbox/upstreams": async (request) => {
      const { provider, fault, times } = await readBody(request, UpstreamFault);
      upstreams.setFault(provider, fault, times);
      return { providers: upstreams.status() };
    },
    "GET /__sandbox/clock": () => ({ now: new Date(clock.now()).toISOString() }),
    "POST /__sandbox/clock": async (request) => {
      const { now, advance_s } = await readBody(request, ClockSetting);
      if ((now === undefined) === (advance_s === undefined)) throw new ControlError("give now or advance_s");
      const at = typeof now === "string" ? Date.parse(now) : now;
      if (at !== undefined && !Number.isFinite(at)) throw new ControlError("now: an ISO 8601 time or milliseconds");
      if (at !== undefined) clock.set(at);
      else clock.advance((advance_s ?? 0) * 1000);
      journal.append({ kind: "clock", offset_ms: clock.now() - Date.now() });
      parts.onClock();
      return { now: new Date(clock.now()).toISOString() };
    },
    "POST /__sandbox/limits": async (request) => {
      const { enabled } = await readBody(request, Limits);
      parts.onLimits(enabled);
      return { enabled };
    },
  };

  return async (request) => {
    const { pathname } = new URL(request.url);
    const door = doors[`${request.method} ${pathname}`];
    if (!door) return json({ error: "no such door", doors: Object.keys(doors) }, 404);
    try {
      return json(await door(request));
    } catch (error) {
      if (error instanceof ControlError || error instanceof RangeError) return json({ error: messageOf(error) }, 422);
      throw error;
    }
  };
}
