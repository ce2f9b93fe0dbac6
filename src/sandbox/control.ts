import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { type SettableClock, systemClock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { closed } from "../core/schema-fields.ts";
import { CHAIN_FAULTS, type ChainFaults } from "./chain-faults.ts";
import { ACCOUNT_STATES } from "./chains/account-states.ts";
import type { SandboxChain } from "./chains/types.ts";
import type { SandboxFacilitator } from "./facilitator.ts";
import type { Journal } from "./journal.ts";
import { MODEL_MODES } from "./played-completion.ts";
import type { PlayedModels } from "./played-models.ts";
import { TIME_MS_MAX } from "./time.ts";
import { FAULTS, type SimulatedUpstreams } from "./upstreams.ts";

export interface ControlParts {
  readonly clock: SettableClock;
  readonly chains: readonly SandboxChain[];
  readonly faults: ChainFaults;
  readonly facilitator: (name: string) => SandboxFacilitator;
  readonly upstreams: SimulatedUpstreams;
  readonly models: PlayedModels;
  readonly journal: Journal;
  /** Name and URL of every other door. */
  readonly doors: () => Readonly<Record<string, string | null | Readonly<Record<string, string>>>>;
  readonly onLimits: (enabled: boolean) => void;
  /** Advances to that time, running the jobs on the way. */
  readonly liveTo: (to_ms: number) => Promise<void>;
  readonly onClock: () => void;
}

/** In JSON, a whole number that a double holds exactly, or decimal digits. */
const Amount = Type.Union([
  Type.String({ pattern: "^(0|[1-9][0-9]{0,30})$" }),
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
]);
const Times = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }));
const Fund = Type.Object(
  { network: Type.String(), address: Type.String({ maxLength: 100 }), amount_atomic: Amount },
  closed,
);
const Account = Type.Object(
  {
    network: Type.String({ maxLength: 100 }),
    address: Type.String({ maxLength: 100 }),
    state: Type.Union(ACCOUNT_STATES.map((state) => Type.Literal(state))),
  },
  closed,
);
const NAME = /^[a-z0-9-]{1,30}$/;
const FacilitatorMode = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 30 })),
    verify: Type.Optional(Type.String({ maxLength: 200 })),
    settle: Type.Optional(Type.String({ maxLength: 200 })),
    delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 120_000 })),
    times: Times,
    dead: Type.Optional(Type.Boolean()),
  },
  closed,
);
const UpstreamFault = Type.Object(
  {
    provider: Type.String({ maxLength: 60 }),
    fault: Type.Union(FAULTS.map((fault) => Type.Literal(fault))),
    times: Times,
  },
  closed,
);
const LAG_S_MAX = 86_400;
const ChainFault = Type.Object(
  {
    network: Type.String({ maxLength: 100 }),
    fault: Type.Union(CHAIN_FAULTS.map((fault) => Type.Literal(fault))),
    times: Times,
    lag_s: Type.Optional(Type.Number({ minimum: 0, maximum: LAG_S_MAX })),
  },
  closed,
);
const LAG_S = 30;
const ClockSetting = Type.Object(
  {
    now: Type.Optional(
      Type.Union([Type.String({ maxLength: 40 }), Type.Integer({ minimum: 0, maximum: TIME_MS_MAX })]),
    ),
    advance_s: Type.Optional(Type.Number({ minimum: -1_000_000_000, maximum: 1_000_000_000 })),
  },
  closed,
);
const ModelSetting = Type.Object(
  {
    model: Type.String({ pattern: "^[a-z][a-z0-9_-]{0,39}$" }),
    mode: Type.Optional(Type.Union(MODEL_MODES.map((mode) => Type.Literal(mode)))),
    script: Type.Optional(
      Type.Array(
        Type.Object(
          {
            status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
            headers: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 200 }))),
            body: Type.Optional(Type.Unknown()),
            hangs: Type.Optional(Type.Literal(true)),
          },
          closed,
        ),
        { maxItems: 100 },
      ),
    ),
  },
  closed,
);
const Limits = Type.Object({ enabled: Type.Boolean() }, closed);

/** A wallet's call to the channel contract. */
const ContractCall = Type.Object(
  {
    network: Type.String(),
    data: Type.String({ pattern: "^0x[0-9a-fA-F]{8,20000}$" }),
    sender: Type.String({ pattern: "^0x[0-9a-fA-F]{40}$" }),
  },
  closed,
);

class ControlError extends Error {
  override readonly name = "ControlError";
}

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });

const BODY_CHARS_MAX = 65_536;

async function readBody<S extends TSchema>(request: Request, schema: S): Promise<Static<S>> {
  const text = await request.text().catch(() => {
    throw new ControlError("the connection ended before the whole body had arrived");
  });
  if (text.length > BODY_CHARS_MAX) throw new ControlError(`the body has over ${BODY_CHARS_MAX} characters`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ControlError("the body is not JSON");
  }
  if (Value.Check(schema, body)) return body;
  // One error for each faulty member, so that a caller learns all of them at once.
  const faults = new Map(
    [...Value.Errors(schema, body)].reverse().map(({ path, message }) => [path || "body", message]),
  );
  throw new ControlError(
    [...faults]
      .reverse()
      .map(([path, message]) => `${path}: ${message}`)
      .join("; "),
  );
}

const STEERED = [
  "fund",
  "account",
  "contract",
  "chain",
  "facilitator",
  "upstreams",
  "models",
  "clock",
  "limits",
] as const;

type Door = (request: Request) => Promise<unknown> | unknown;

/** Path of each thing that the control door controls. */
const renderControl = (origin: string): Readonly<Record<string, string>> =>
  Object.fromEntries(STEERED.map((name) => [name, `${origin}/__sandbox/${name}`]));

/** The next answers of the played models. */
const createModelDoors = (models: PlayedModels): Readonly<Record<string, Door>> => ({
  "GET /__sandbox/models": () => ({ models: models.status() }),
  "POST /__sandbox/models": async (request) => {
    const { model, mode, script } = await readBody(request, ModelSetting);
    if (mode !== undefined) models.setMode(model, mode);
    if (script !== undefined) models.setScript(model, script);
    return { models: models.status() };
  },
});

/** The control door of the sandbox. It is mounted only in sandbox mode, and only on loopback. */
export function createControl(parts: ControlParts): (request: Request) => Promise<Response> {
  const { clock, chains, faults, upstreams, journal } = parts;
  const getFacilitator = (name: string) => {
    if (!NAME.test(name)) throw new ControlError("name: small letters, digits and hyphens");
    return parts.facilitator(name);
  };
  const renderFacilitator = (name: string) => {
    const facilitator = getFacilitator(name);
    return { ...facilitator.calls(), mode: facilitator.mode() };
  };

  const doors: Readonly<Record<string, Door>> = {
    "GET /__sandbox": (request) => ({ ...parts.doors(), control: renderControl(new URL(request.url).origin) }),
    "GET /__sandbox/chain": () => ({
      balances: Object.fromEntries(chains.map((chain) => [chain.network, chain.balances()])),
      settlements: chains.flatMap((chain) => chain.settlements()),
    }),
    "POST /__sandbox/chain": async (request) => {
      const { network, fault, times = null, lag_s = LAG_S } = await readBody(request, ChainFault);
      faults.set(network, { fault, times, lag_s });
      return { faults: faults.status() };
    },
    "POST /__sandbox/fund": async (request) => {
      const { network, address, amount_atomic } = await readBody(request, Fund);
      const chain = chains.find((one) => one.network === network);
      if (!chain) throw new ControlError(`network: one of ${chains.map((one) => one.network).join(", ")}`);
      chain.fund(address, BigInt(amount_atomic));
      return { balances: { [network]: chain.balances() } };
    },
    "POST /__sandbox/contract": async (request) => {
      const { network, data, sender } = await readBody(request, ContractCall);
      const chain = chains.find((one) => one.network === network && one.callContract);
      if (!chain) throw new ControlError("network: one with a channel contract");
      return { transaction: await chain.callContract?.(data, sender) };
    },
    "POST /__sandbox/account": async (request) => {
      const { network, address, state } = await readBody(request, Account);
      const able = chains.filter(({ setAccount }) => setAccount);
      const chain = able.find((one) => one.network === network);
      if (!chain) throw new ControlError(`network: one of ${able.map((one) => one.network).join(", ")}`);
      chain.setAccount?.(address, state);
      return { network, address, state };
    },
    "GET /__sandbox/facilitator": (request) =>
      renderFacilitator(new URL(request.url).searchParams.get("name") ?? "main"),
    "POST /__sandbox/facilitator": async (request) => {
      const { name = "main", ...mode } = await readBody(request, FacilitatorMode);
      getFacilitator(name).setMode(mode);
      return renderFacilitator(name);
    },
    "GET /__sandbox/upstreams": () => ({ providers: upstreams.status() }),
    "POST /__sandbox/upstreams": async (request) => {
      const { provider, fault, times } = await readBody(request, UpstreamFault);
      upstreams.setFault(provider, fault, times);
      return { providers: upstreams.status() };
    },
    ...createModelDoors(parts.models),
    "GET /__sandbox/clock": () => ({ now: new Date(clock.now()).toISOString() }),
    "POST /__sandbox/clock": async (request) => {
      const { now, advance_s } = await readBody(request, ClockSetting);
      if ((now === undefined) === (advance_s === undefined)) throw new ControlError("give now or advance_s");
      const given = typeof now === "string" ? Date.parse(now) : now;
      const to_ms = given ?? clock.now() + (advance_s ?? 0) * 1000;
      if (!(to_ms >= 0 && to_ms <= TIME_MS_MAX)) throw new ControlError("now: an ISO 8601 time or milliseconds");
      // Written to disk first, as an offset, because sandbox time continues while nothing runs.
      journal.append({ kind: "clock", offset_ms: to_ms - systemClock.now() });
      if (advance_s === undefined || to_ms < clock.now()) clock.set(to_ms);
      else await parts.liveTo(to_ms);
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
