import { createBuyer } from "../buyer/buyer.ts";
import { renderTime } from "../core/clock.ts";
import { parseUSD } from "../core/money.ts";
import type { MonthNode } from "./demo-month.ts";

/** The parts of the tour that this step needs. */
interface WatchTour {
  /** Starts a node that sells one product, and whose clock this step moves. */
  readonly startMonth: (path: string) => Promise<MonthNode>;
  readonly tell: (title: string, lines: readonly string[], checks: Readonly<Record<string, boolean>>) => void;
}

interface BoughtKey {
  readonly api_key: string;
  readonly granted_atomic: string;
}

interface Watch {
  readonly watch: string;
  readonly evaluations: number;
  readonly spent_usd: string;
  readonly price_told_usd: string;
  readonly price_idle_usd: string;
}

interface WatchEvent {
  readonly kind: string;
  readonly at: string;
  readonly why?: string;
  readonly looked?: readonly { readonly before: string; readonly now: string }[];
  readonly answer?: {
    readonly data: { readonly regime: string; readonly previous: { readonly regime: string } | null };
  };
}

/** A look whose state differs from that of the look before. */
interface Turn {
  readonly at: string;
  readonly before: string;
  readonly now: string;
}

interface Month {
  /** The changes that the agent found by its own calls. */
  readonly turns: readonly Turn[];
  readonly watch: Watch;
  readonly events: readonly WatchEvent[];
  /** Balance of the key, atomic USDC. */
  readonly spent: bigint;
  /** Whether all books of the node are exact. */
  readonly is_exact: boolean;
}

const PATH = "/regime";
const PLAN = "/buy-credits";
const DAYS = 30;
const DAY_S = 86_400;
const ORDER = {
  product: PATH,
  condition: { field: "regime", op: "changed" },
  every: "1d",
  budget_usd: "1",
} as const;

/** The days on which an agent that calls by itself finds another state than the day before. */
function listTurns(days: readonly { readonly at: string; readonly regime: string }[]): readonly Turn[] {
  return days.flatMap(({ at, regime }, index) => {
    const before = days[index - 1]?.regime ?? regime;
    return before === regime ? [] : [{ at, before, now: regime }];
  });
}

const renderTurn = ({ at, before, now }: Turn): string => `${at} ${before} -> ${now}`;

const toTurn = ({ at, looked = [] }: WatchEvent): Turn => ({
  at,
  before: looked[0]?.before ?? "",
  now: looked[0]?.now ?? "",
});

/** The previous state according to the answer itself, which computes it from years of prices. */
const agrees = ({ answer }: WatchEvent, { before, now }: Turn): boolean =>
  answer?.data.regime === now && answer.data.previous?.regime === before;

/** The agent's calls to the node. */
function createAgent({ url }: MonthNode) {
  const call = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(`${url}${path}`, init);
    if (!response.ok) throw new Error(`${path} -> ${response.status} ${await response.text()}`);
    return response;
  };
  const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    call(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  return {
    post,
    get: async <T>(path: string, headers: Readonly<Record<string, string>>): Promise<T> =>
      (await (await call(path, { headers })).json()) as T,
    async buyKey(now_ms: () => number): Promise<BoughtKey> {
      const buyer = await createBuyer(now_ms);
      const payment = await buyer.sign(buyer.readChallenge(await fetch(`${url}${PLAN}`)));
      const response = await call(PLAN, { headers: { "PAYMENT-SIGNATURE": payment.header } });
      return (await response.json()) as BoughtKey;
    },
    /** Lets a time pass; everything due at its end is done when this returns. */
    passTime: (advance_s: number) => post("/__sandbox/clock", { advance_s }),
  };
}

/** Lives the month. The agent also calls once a day, for a comparison with the watch. */
async function liveMonth(node: MonthNode): Promise<Month> {
  const agent = createAgent(node);
  const { api_key, granted_atomic } = await agent.buyKey(node.now_ms);
  const headers = { "X-API-Key": api_key };
  const response = await agent.post("/watch", ORDER, headers);
  const { watch: id } = (await response.json()) as Watch;
  const days: { readonly at: string; readonly regime: string }[] = [];
  await agent.passTime(0);
  for (let day = 0; day < DAYS; day += 1) {
    const { data } = await agent.get<{ readonly data: { readonly regime: string } }>(PATH, headers);
    days.push({ at: renderTime(node.now_ms()), regime: data.regime });
    await agent.passTime(DAY_S);
  }
  const { events } = await agent.get<{ readonly events: readonly WatchEvent[] }>(`/watch/${id}/events`, headers);
  const { balance_atomic } = await agent.get<{ readonly balance_atomic: string }>("/credits-status", headers);
  return {
    turns: listTurns(days),
    watch: await agent.get<Watch>(`/watch/${id}`, headers),
    events,
    spent: BigInt(granted_atomic) - BigInt(balance_atomic),
    is_exact: await node.isExact(),
  };
}

/** A watch on the regime of the market: the sandbox lives 30 days while the buyer asks for nothing. */
export async function showWatch({ startMonth, tell }: WatchTour): Promise<void> {
  const node = await startMonth(PATH);
  const { turns, watch, events, spent, is_exact } = await liveMonth(node).finally(() => node.stop());
  const told = events.filter(({ kind }) => kind === "told");
  const told_turns = told.map(toTurn);
  const [price, idle] = [parseUSD(watch.price_told_usd), parseUSD(watch.price_idle_usd)];
  const quiet = watch.evaluations - told.length;
  const due = BigInt(told.length) * price + BigInt(quiet) * idle;
  tell(
    `It sets a watch and sleeps: the node of a sandbox lives ${DAYS} days and tells each turn of the market`,
    [
      `POST /watch ${PATH}, "regime" changed, every day, at most ${ORDER.budget_usd} USD`,
      ...told_turns.map((turn) => `told ${renderTurn(turn)}`),
      `${watch.evaluations} evaluations for ${watch.spent_usd} USD: ` +
        `${told.length} that told at ${watch.price_told_usd}, ${quiet} that did not at ${watch.price_idle_usd}`,
      `it ends by itself: ${events.at(-1)?.why}`,
    ],
    {
      "each turn was told once, at its time, with the value before and after":
        turns.length > 0 && told_turns.map(renderTurn).join() === turns.map(renderTurn).join(),
      "each answer says the same of the state before": told.every((event) => agrees(event, toTurn(event))),
      "each day was looked at once": watch.evaluations === DAYS,
      "the watch cost what its evaluations cost": parseUSD(watch.spent_usd) === due,
      "the key paid for that and for what was asked by day, to the unit": spent === due + BigInt(DAYS) * price,
      "the audit is clean": is_exact,
    },
  );
}
