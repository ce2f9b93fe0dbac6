import { Type } from "@sinclair/typebox";
import type { SimulatedWorld, Simulator } from "../catalog/simulator.ts";
import { type SettableClock, systemClock } from "../core/clock.ts";
import type { GuardedFetch, GuardedResult } from "../guarded-fetch/types.ts";
import { createReader } from "../payments/codec.ts";
import { createChainFaults } from "./chain-faults.ts";
import { createAlgorandChain } from "./chains/algorand/index.ts";
import { createEvmChain } from "./chains/evm/index.ts";
import { createSolanaChain } from "./chains/solana/index.ts";
import type { SandboxChain } from "./chains/types.ts";
import { createControl } from "./control.ts";
import { createSandboxFacilitator, type SandboxFacilitator } from "./facilitator.ts";
import { createJournal } from "./journal.ts";
import { createPlayedModels, type PlayedModels } from "./played-models.ts";
import { serveChains } from "./serve-chain.ts";
import { type SocketData, socketHandlers, upgrade } from "./serve-sockets.ts";
import { createSimulatedCalendar, SIMULATED_CALENDAR } from "./simulated-calendar.ts";
import { createSimulatedSelf, createSimulatedStrangers, SIMULATED_SELLER } from "./simulated-strangers.ts";
import { TIME_MS_MAX } from "./time.ts";
import { createSimulatedUpstreams, type SimulatedRoute } from "./upstreams.ts";
import { createWorld } from "./world.ts";

/**
 * The world in a box: upstreams, chains and facilitators behind one loopback server. The node's ordinary clients call
 * it as they call the real ones.
 */
export interface Sandbox {
  /** Address of the simulated world's server. */
  readonly url: string;
  readonly world: SimulatedWorld;
  facilitatorUrl(name?: string): string;
  /** Simulated address of a provider, or of one of its named hosts. */
  upstreamUrl(provider: string, host?: string): string;
  rpcUrl(chain: string): string;
  /** Base address of a played language model. */
  modelUrl(id: string): string;
  readonly models: PlayedModels;
  /**
   * The `fetch` of the node's upstream client. It uses the server's socket, except while the clock is moved on: then
   * only jobs call, ten thousand times in a simulated week. Faults and counts are the same either way.
   */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Asks the simulated upstreams as they were at another time, without a socket. */
  fetchAt(now: () => number): (url: string, init: RequestInit) => Promise<Response>;
  /** Address of the simulated calendar for public timestamps, one of the simulated strangers. */
  readonly calendar_url: string;
  /** The simulated hosts of strangers, as they are at a time. */
  strangersAt(now: () => number): {
    readonly hosts: readonly string[];
    readonly ask: GuardedFetch;
    /** The sandbox's node as its buyers would see it on the Internet. */
    readonly askSelf: (path: string) => Promise<GuardedResult>;
  };
  addSimulators(simulators: readonly Simulator[]): void;
  /** Registers a seller, so that the chain shows the account before the first payment. */
  introduce(network: string, address: string): void;
  /** Number of settlements, and the balance of an address in atomic USDC ("0" if no chain has such an address). */
  readChain(): { settlements: number; balance: (address: string) => string };
  handleControl(request: Request): Promise<Response>;
  stop(): Promise<void>;
}

export interface SandboxOptions {
  readonly seed: string;
  readonly clock: SettableClock;
  readonly simulators: readonly Simulator[];
  /** Keeps balances, nonces, settlements and the clock across restarts. */
  readonly persist_file?: string;
  readonly onLimits?: (enabled: boolean) => void;
  /** Advances to a time, running the jobs on the way; without this function the clock is only set. */
  readonly liveTo?: (to_ms: number) => Promise<void>;
  readonly onClock?: () => void;
}

const FACILITATORS_MAX = 20;
const BODY_BYTES_MAX = 262_144;
const FACILITATOR_PATH = /^\/facilitator(?:\/([a-z0-9-]{1,30}))?(\/(?:supported|verify|settle))$/;
const UPSTREAM_PATH = /^\/upstream\/([a-z0-9_]{1,40})(?:@([a-z0-9_]{1,40}))?(\/.*)?$/;
const STREAM_PATH = /^\/(upstream|rpc)\/([a-z0-9_]{1,40})(?:@([a-z0-9_]{1,40}))?(\/.*)?$/;
const MODEL_PATH = /^\/model\/([a-z][a-z0-9_-]{0,39})\/v1\/chat\/completions$/;
const RPC_PATH = /^\/rpc\/([a-z0-9_]{1,40})$/;

const rpcProvider = (chain: string): string => (chain.startsWith("solana") ? "solana_rpc" : "evm_rpc");

/** Sandbox time minus system time, as stored by the control door. */
const readClock = createReader(
  Type.Object({
    kind: Type.Literal("clock"),
    offset_ms: Type.Number({ minimum: -TIME_MS_MAX, maximum: TIME_MS_MAX }),
  }),
);

/** The parsed body, or undefined if it is not JSON: the chain's RPC has its own error for that. */
async function readJSON(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}

/** Answers one call, or each call of a batch (JSON-RPC 2.0, section 6). An empty batch is not a request. */
async function answerRPC(body: unknown, answer: (one: unknown) => unknown): Promise<unknown> {
  if (!Array.isArray(body) || body.length === 0) return await answer(body);
  const answers: unknown[] = [];
  for (const one of body) answers.push(await answer(one));
  return answers;
}

/** The provider of an address, with its host, path or chain; null if no provider has the address. */
function findRoute(pathname: string): { readonly provider: string; readonly route: SimulatedRoute } | null {
  const [is_data, provider = "", host, path = ""] = UPSTREAM_PATH.exec(pathname) ?? [];
  if (is_data !== undefined) return { provider, route: { path, ...(host === undefined ? {} : { host }) } };
  const chain = RPC_PATH.exec(pathname)?.[1];
  return chain === undefined ? null : { provider: rpcProvider(chain), route: { path: "", chain } };
}

/** Simulated hosts outside of the Internet, each with its player. */
function playHosts(now: () => number): GuardedFetch {
  const [askSeller, askCalendar] = [createSimulatedStrangers(now), createSimulatedCalendar(now)];
  return (request) => (request.url.startsWith(`${SIMULATED_CALENDAR}/`) ? askCalendar(request) : askSeller(request));
}

export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock } = options;
  const journal = createJournal(options.persist_file ?? null);
  const moved = journal.entries.map(readClock).findLast((entry) => entry !== null);
  if (moved) clock.set(systemClock.now() + moved.offset_ms);
  const world = createWorld(options.seed, clock.now);
  const upstreams = createSimulatedUpstreams(world, options.simulators);
  const models = createPlayedModels(clock.now);
  const parts = { clock, journal };
  const chains: readonly SandboxChain[] = [createEvmChain(parts), createSolanaChain(parts), createAlgorandChain(parts)];
  const faults = createChainFaults(chains, clock.now);
  const facilitators = new Map<string, SandboxFacilitator>();
  const facilitator = (name: string): SandboxFacilitator => {
    let found = facilitators.get(name);
    if (!found) {
      if (facilitators.size >= FACILITATORS_MAX) throw new RangeError("too many facilitators");
      found = createSandboxFacilitator({ chains });
      facilitators.set(name, found);
    }
    return found;
  };

  const respond = async (request: Request, server: Bun.Server<SocketData>): Promise<Response | undefined> => {
    const { pathname } = new URL(request.url);
    const streamed = request.headers.get("upgrade") === "websocket" ? STREAM_PATH.exec(pathname) : null;
    if (streamed) {
      const [, kind, provider = "", host, path = ""] = streamed;
      const route = kind === "rpc" ? { path: "", chain: provider } : { path, ...(host === undefined ? {} : { host }) };
      const id = kind === "rpc" ? rpcProvider(provider) : provider;
      return upgrade(server, request, upstreams.connect(id, request, route));
    }
    const settle = FACILITATOR_PATH.exec(pathname);
    if (settle) return facilitator(settle[1] ?? "main").handle(request, settle[2] ?? "");
    const model = MODEL_PATH.exec(pathname)?.[1];
    if (model !== undefined && request.method === "POST") return models.respond(model, request);
    const own = chains.find(({ rpc_name }) => rpc_name === RPC_PATH.exec(pathname)?.[1]);
    if (own) {
      return faults.respond(own, request, async (view) => {
        const body = await readJSON(request);
        const answer = await answerRPC(body, (one) => own.rpc(one, view ?? undefined));
        return Response.json(answer, { status: body === undefined ? 400 : 200 });
      });
    }
    const asked = findRoute(pathname);
    return asked ? upstreams.respond(asked.provider, request, asked.route) : new Response("Not Found", { status: 404 });
  };
  const { liveTo = async (to_ms: number) => clock.set(to_ms) } = options;
  /** Calls of the clock's door in progress. */
  let moving = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    reusePort: false,
    maxRequestBodySize: BODY_BYTES_MAX,
    idleTimeout: 255,
    development: false,
    fetch: respond,
    websocket: socketHandlers,
    error: (error) => Response.json({ error: error.message }, { status: 500 }),
  });
  const url = `http://127.0.0.1:${server.port}`;
  const facilitatorUrl = (name = "main") => `${url}/facilitator/${name}`;
  const own_servers = serveChains(chains, faults);
  const rpcUrl = (chain: string) => own_servers.find((one) => one.rpc_name === chain)?.url ?? `${url}/rpc/${chain}`;
  const upstreamUrl = (provider: string, host?: string) =>
    `${url}/upstream/${provider}${host === undefined ? "" : `@${host}`}`;

  return {
    url,
    world,
    facilitatorUrl,
    upstreamUrl,
    rpcUrl,
    modelUrl: (id) => `${url}/model/${id}/v1`,
    models,
    calendar_url: SIMULATED_CALENDAR,
    strangersAt: (now) => ({
      hosts: [SIMULATED_SELLER, SIMULATED_CALENDAR].map((origin) => new URL(origin).host),
      ask: playHosts(now),
      askSelf: createSimulatedSelf(now),
    }),
    async fetch(address, init) {
      const asked = moving > 0 && address.startsWith(`${url}/`) ? findRoute(new URL(address).pathname) : null;
      if (!asked || chains.some(({ rpc_name }) => rpc_name === asked.route.chain)) return fetch(address, init);
      const response = await upstreams.respond(asked.provider, new Request(address, init), asked.route);
      // A caller who has hung up gets no answer.
      init.signal?.throwIfAborted();
      return response;
    },
    fetchAt(now) {
      const seen = { ...world, now, price: (symbol: string, at_ms = now()) => world.price(symbol, at_ms) };
      return async (address, init) => {
        const request = new Request(address, init);
        const { provider, route } = findRoute(new URL(address).pathname) ?? { provider: "", route: { path: "" } };
        return upstreams.respondIn(seen, provider, request, route);
      };
    },
    addSimulators: upstreams.add,
    introduce: (network, address) => chains.find((chain) => chain.network === network)?.introduce?.(address),
    readChain: () => ({
      settlements: chains.reduce((sum, chain) => sum + chain.settlements().length, 0),
      balance: (address) => String(chains.map((chain) => chain.balanceOf(address)).find((one) => one !== null) ?? 0n),
    }),
    handleControl: createControl({
      clock,
      chains,
      faults,
      facilitator,
      upstreams,
      models,
      journal,
      doors: () => ({
        world: url,
        facilitator: facilitatorUrl(),
        base_sepolia_rpc: rpcUrl("base_sepolia"),
        solana_rpc: rpcUrl("solana_devnet"),
        algod: rpcUrl("algorand_testnet"),
        upstreams: Object.fromEntries(Object.keys(upstreams.status()).map((id) => [id, upstreamUrl(id)])),
      }),
      onLimits: (enabled) => options.onLimits?.(enabled),
      async liveTo(to_ms) {
        moving += 1;
        await liveTo(to_ms).finally(() => {
          moving -= 1;
        });
      },
      onClock: () => options.onClock?.(),
    }),
    async stop() {
      await Promise.all([server.stop(true), ...own_servers.map((one) => one.stop())]);
      journal.close();
    },
  };
}
