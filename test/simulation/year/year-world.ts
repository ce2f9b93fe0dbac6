import { randomBytes } from "node:crypto";
import { createEvmChain } from "../../../src/sandbox/chains/evm/index.ts";
import { createSandboxFacilitator } from "../../../src/sandbox/facilitator.ts";
import { createJournal } from "../../../src/sandbox/journal.ts";
import { createYearClock } from "./year-clock.ts";

const SETTLEMENTS_MAX = 1_000_000;
export const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

/** One message that reached the operator. */
export interface Told {
  /** By the world's clock, ms. */
  readonly at_ms: number;
  /** `alert.opened`, `alert.closed`, `alert.reminded` or `alert.told`. */
  readonly type: string;
  readonly event: string;
  /** All that it tells of. */
  readonly alerts: readonly string[];
  readonly title: string;
}

/** What goes wrong outside of the node. */
interface Weather {
  /** Sources that answer 500. */
  readonly failing: Set<string>;
  /** This machine reaches nobody. */
  offline: boolean;
}

/**
 * Everything around the node, which outlives it: one chain, its facilitator, two sources and the operator's telephone,
 * each a server on loopback that dates its answers by the world's clock.
 */
export function createYearWorld(start_ms: number) {
  const clock = createYearClock(start_ms);
  const world_clock = { now: clock.world };
  const chain = createEvmChain({
    clock: world_clock,
    journal: createJournal(null),
    settlements_max: SETTLEMENTS_MAX,
  });
  const facilitator = createSandboxFacilitator({ chains: [chain] });
  const weather: Weather = { failing: new Set(), offline: false };
  const told: Told[] = [];
  let in_flight = 0;

  const serve = (answer: (request: Request, path: string) => Promise<Response>) =>
    Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 0,
      async fetch(request) {
        in_flight += 1;
        try {
          const response = weather.offline
            ? new Response("no route", { status: 503 })
            : await answer(request, new URL(request.url).pathname);
          response.headers.set("date", new Date(clock.world()).toUTCString());
          return response;
        } finally {
          in_flight -= 1;
        }
      },
    });
  const addressOf = ({ port }: { readonly port?: number | undefined }): string => `http://127.0.0.1:${port}`;

  let quotes = 0;
  const payment_server = serve((request, path) => facilitator.handle(request, path));
  const chain_server = serve(async (request) => Response.json(await answerChain(await request.json(), chain.rpc)));
  const source_servers = ["first", "second"].map((source) => ({
    source,
    server: serve(async () => {
      quotes += 1;
      return weather.failing.has(source) ? new Response("", { status: 500 }) : Response.json({ n: quotes });
    }),
  }));
  // The operator's telephone is elsewhere: it rings while the network of the shop's host is gone, too, else nobody
  // could say when the shop tells of it.
  const telephone = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { type, data } = (await request.json()) as { readonly type: string; readonly data: Omit<Told, "type"> };
      told.push({ at_ms: clock.world(), type, event: data.event, alerts: data.alerts, title: data.title });
      return new Response("");
    },
  });

  /** Waits until nobody is under way any more to a server of this world. */
  const quiet = async (): Promise<void> => {
    for (let calm = 0; calm < 3; calm = in_flight === 0 ? calm + 1 : 0) await Bun.sleep(1);
  };

  return {
    clock,
    chain,
    facilitator,
    weather,
    told,
    quiet,
    facilitator_url: addressOf(payment_server),
    rpc_url: addressOf(chain_server),
    telephone_url: addressOf(telephone),
    telephone_secret: `whsec_${randomBytes(32).toString("base64")}`,
    sourceUrl: (source: string): string =>
      addressOf(source_servers.find((one) => one.source === source)?.server ?? payment_server),
    /** What came to the shop's wallet, by transfers. */
    listIncome: () => chain.settlements().filter(({ pay_to }) => pay_to.toLowerCase() === SELLER.toLowerCase()),
    async stop() {
      const servers = [payment_server, chain_server, telephone, ...source_servers.map(({ server }) => server)];
      await Promise.all(servers.map((server) => server.stop(true)));
    },
  };
}
export type YearWorld = ReturnType<typeof createYearWorld>;

/** One call of JSON-RPC, or a batch of them. */
async function answerChain(asked: unknown, answer: (one: unknown) => unknown): Promise<unknown> {
  if (!Array.isArray(asked)) return await answer(asked);
  const answers: unknown[] = [];
  for (const one of asked) answers.push(await answer(one));
  return answers;
}
