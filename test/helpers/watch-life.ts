import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { defineProduct } from "../../src/catalog/product.ts";
import { type MoneyNode, startMoneyNode } from "./money-node.ts";
import { createStillClock, START_MS } from "./still-clock.ts";

/**
 * A life of a node that watches, for tests that kill it: `bun test/helpers/watch-life.ts FOLDER WATCHES HOURS ANSWERS`.
 * It sets its watches where they are not set yet, goes on at the hour its last life came to, and kills itself while it
 * works on the answer of that number; with 0 it lives to the end and writes what was told into FOLDER/report.json.
 */
const HOUR_MS = 3_600_000;
/** Watches of one pass of the job. */
const PASS_MAX = 200;
const SETTERS = 16;
const PAGE = 100;

/** What all lives of a node came to. */
export interface LifeReport {
  readonly watches: readonly LifeOfWatch[];
  readonly balance_atomic: string;
  /** Of the audit of its books. */
  readonly findings: readonly unknown[];
}

interface LifeOfWatch {
  readonly number: number;
  readonly evaluations: number;
  readonly spent_usd: string;
  readonly told: readonly { readonly at: string; readonly receipt_id: string; readonly level: number }[];
}

/** Of a watch in an hour: it rises in about one hour of three, each watch in hours of its own. */
function levelOf(number: number, hour: number): number {
  let level = 0;
  for (let past = 1; past <= hour; past += 1) if (risesIn(number, past)) level += 1;
  return level;
}
export const risesIn = (number: number, hour: number): boolean =>
  ((Math.imul(number + 1, 2_654_435_761) ^ Math.imul(hour, 1_597_334_677)) >>> 8) % 3 === 0;

interface Life {
  readonly folder: string;
  readonly watches: number;
  readonly hours: number;
  /** The answer it dies of; 0 is none. */
  readonly last_answer: number;
}

function createLevel({ last_answer }: Life) {
  let made = 0;
  return defineProduct({
    path: "/level",
    methods: ["GET", "POST"],
    title: "Level",
    description: "A level that rises.",
    category: "test",
    tags: ["test"],
    price_usd: "0.01",
    params: Type.Object({ q: Type.String({ maxLength: 10 }) }),
    data: Type.Object({ level: Type.Number() }),
    example: { params: { q: "1" }, as_of: "2026-01-01T00:00:00Z", data: { level: 1 } },
    providers: [],
    requires: [],
    ttl: "0s",
    deadline_ms: 10_000,
    preview: { every: "24h" },
    fetch: async (_, { q }) => {
      made += 1;
      // It dies while the answer is made, or some turns later: written down, charged or told by then, or none of it.
      if (made === last_answer) {
        for (let turn = made % 40; turn > 0; turn -= 1) await new Promise(setImmediate);
        process.kill(process.pid, "SIGKILL");
      }
      return Number(q);
    },
    compute: (number, { now_ms }) => ({
      as_of_ms: now_ms,
      data: { level: levelOf(Number(number), Math.floor((now_ms - START_MS) / HOUR_MS)) },
      warnings: [],
    }),
  });
}

/** A client of the node with the one key that all lives have. */
async function createBuyer({ url, node }: MoneyNode, { folder, watches }: Life) {
  const key_file = join(folder, "key");
  const post = async <T>(path: string, body: object, headers: Record<string, string>): Promise<T> => {
    const sent = { "content-type": "application/json", ...headers };
    const response = await fetch(`${url}${path}`, { method: "POST", headers: sent, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  if (!existsSync(key_file)) {
    const operator = { authorization: `Bearer ${node.operator_token}` };
    const order = { command: "issue", credit_usd: String(watches) };
    writeFileSync(key_file, (await post<{ api_key: string }>("/admin/keys", order, operator)).api_key, { mode: 0o600 });
  }
  const headers = { "x-api-key": readFileSync(key_file, "utf8") };
  return {
    post: <T>(path: string, body: object, more: Record<string, string>) => post<T>(path, body, { ...headers, ...more }),
    get: async <T>(path: string): Promise<T> => {
      const response = await fetch(`${url}${path}`, { headers });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    },
  };
}
type Buyer = Awaited<ReturnType<typeof createBuyer>>;

/** A watch that is set again under its name is the same one: a life may have ended between asking and hearing. */
async function setAll(buyer: Buyer, watches: number): Promise<void> {
  const numbers = Array.from({ length: watches }, (_, number) => number).values();
  const set = async (): Promise<void> => {
    for (const number of numbers) {
      const order = {
        product: "/level",
        params: { q: String(number) },
        condition: { field: "level", op: "changed" },
        every: "1h",
        budget_usd: "1",
        label: String(number),
      };
      await buyer.post("/watch", order, { "Idempotency-Key": `the watch of number ${number}` });
    }
  };
  await Promise.all(Array.from({ length: SETTERS }, set));
}

interface Page {
  readonly items: readonly {
    readonly watch: string;
    readonly label: string;
    readonly evaluations: number;
    readonly spent_usd: string;
  }[];
  readonly next_before: string | null;
}
interface Events {
  readonly events: readonly {
    readonly at: string;
    readonly receipt_id: string;
    readonly answer: { readonly data: { readonly level: number } };
  }[];
}

async function readAll({ get }: Buyer): Promise<readonly LifeOfWatch[]> {
  const all: LifeOfWatch[] = [];
  let before: string | null = "";
  while (before !== null) {
    const page: Page = await get(`/watch?limit=${PAGE}${before && `&before=${before}`}`);
    for (const { watch, label, evaluations, spent_usd } of page.items) {
      const { events } = await get<Events>(`/watch/${watch}/events`);
      const told = events.map(({ at, receipt_id, answer }) => ({ at, receipt_id, level: answer.data.level }));
      all.push({ number: Number(label), evaluations, spent_usd, told });
    }
    before = page.next_before;
  }
  return all;
}

async function live(life: Life): Promise<void> {
  const { folder, watches, hours } = life;
  const hour_file = join(folder, "hour");
  const set_file = join(folder, "set");
  const first_hour = existsSync(hour_file) ? Number(readFileSync(hour_file, "utf8")) : 0;
  const clock = createStillClock(START_MS + first_hour * HOUR_MS);
  const money = await startMoneyNode(`[watch]\nper_key = ${watches + 1}\n`, undefined, {
    folder: join(folder, "data"),
    clock,
    products: [createLevel(life)],
  });
  const buyer = await createBuyer(money, life);
  if (!existsSync(set_file)) {
    await setAll(buyer, watches);
    writeFileSync(set_file, "");
  }
  for (let hour = first_hour; hour < hours; hour += 1) {
    clock.set(START_MS + hour * HOUR_MS);
    for (let pass = 0; pass <= watches / PASS_MAX + 1; pass += 1) await money.node.checkWatches();
    writeFileSync(hour_file, String(hour + 1));
  }
  const report: LifeReport = {
    watches: await readAll(buyer),
    balance_atomic: (await buyer.get<{ balance_atomic: string }>("/credits-status")).balance_atomic,
    findings: (await money.node.audit()).findings,
  };
  writeFileSync(join(folder, "report.json"), JSON.stringify(report));
  await money.stop();
}

if (import.meta.main) {
  const [, , folder = "", watches = "", hours = "", last_answer = ""] = process.argv;
  await live({ folder, watches: Number(watches), hours: Number(hours), last_answer: Number(last_answer) });
}
