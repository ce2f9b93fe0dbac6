import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { askOperation } from "../../src/commands/ask-node.ts";
import { encodeHeader } from "../../src/payments/codec.ts";
import { createBuyer as createChannelBuyer } from "../helpers/channel-buyers.ts";
import type { GasShop } from "../helpers/gas-shop.ts";
import { signPayment, v2Header } from "../helpers/gate-bench.ts";
import { corruptFacilitator, createInsiders } from "../helpers/hostile-insiders.ts";
import { createAttacks, drain, headersOf, uploadSlowly } from "../helpers/hostile-visitors.ts";
import { createWorkAttacks, HOSTILE_CONFIG, HOSTILE_PRODUCTS, serveModel, worked } from "../helpers/hostile-work.ts";
import { type MoneyNode, startMoneyNode } from "../helpers/money-node.ts";
import { createMppBuyer } from "../helpers/mpp-buyers.ts";
import { PAYERS, type Payer, payFor } from "../helpers/payers.ts";
import { PROXIES, startProxy, stopProxies } from "../helpers/proxies.ts";

/**
 * One hour of the shop's own clock, behind nginx and Caddy: everything a stranger with a shell can send, from 20
 * addresses, and 50 honest buyers on three networks and with keys between it. Short runs live some minutes of it.
 */
const MINUTES = process.env.TEST_LONG ? 60 : 3;
const HOSTILE_A_MINUTE = process.env.TEST_LONG ? 700 : 120;
const HONEST = 50;
const BUYS_A_MINUTE = 10;
const MINUTE_MS = 60_000;
const UPKEEP_MINUTES = 5;
/** Ten times what a life of it was measured to need. */
const HEAP_GROWTH_MAX = 100_000_000;
/** Bytes on disk, once, and for each hostile request. */
const FILES_MAX = 20_000_000;
const FILES_MAX_EACH = 2_000;
const SLOW_UPLOADS = 10;
/** Calls for nothing a minute, one after another or at once, of each of three holders; connections of heavy work. */
const FOR_NOTHING = 60;
const HEAVY_CONNECTIONS = process.env.TEST_LONG ? 350 : 60;
const SILENCED = 20;
/** What a holder may have for nothing a minute, at 1.2 units a call; as much again when it comes fresh. */
const FOR_NOTHING_MAX = (30 * (MINUTES + 1)) / 1.2;
/** Of one holder under way while the last unit is used up. */
const AT_ONCE = 4;
/** In turns of this process: what a settlement may take that the chain never shows. */
const TIMEOUT = "3s";
const LIES = 2;
const [, SOLANA, ALGORAND] = PAYERS;

let shop: MoneyNode;
const model = serveModel();
/** Settles by itself, on a chain of its own; in the whole hour only (quick runs have test/engines/base-embedded). */
let gas_shop: GasShop | null = null;
/** Where buyers and attackers call: a proxy each in turn. */
let fronts: readonly string[] = [];
const frontOf = (n: number): string => fronts[n % fronts.length] as string;
afterAll(async () => {
  await stopProxies();
  await shop?.stop();
  await gas_shop?.stop();
  await model.stop();
});

const bytesOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

const signed = async (account: PrivateKeyAccount, value = 10_000n): Promise<Headers> =>
  v2Header(await signPayment({ account, value }, shop.clock.now()));

/** Buys a plan with one signed payment. */
async function buyKey(account: PrivateKeyAccount, path: string, ip: string): Promise<string> {
  const challenge = await fetch(`${shop.url}${path}`, { headers: { "X-Forwarded-For": ip } });
  const required = JSON.parse(
    Buffer.from(challenge.headers.get("PAYMENT-REQUIRED") ?? "", "base64").toString("utf8"),
  ) as { accepts: { network: string; amount: string }[] };
  const accepted = required.accepts.find(({ network }) => network === "eip155:84532");
  if (!accepted) throw new Error(`${path} is not sold on Base`);
  const payload = await signPayment({ account, value: BigInt(accepted.amount) }, shop.clock.now());
  const header = encodeHeader({ x402Version: 2, accepted, payload });
  const answer = await fetch(`${shop.url}${path}`, { headers: { "PAYMENT-SIGNATURE": header, "X-Forwarded-For": ip } });
  if (answer.status !== 200) throw new Error(await answer.text());
  return ((await answer.json()) as { api_key: string }).api_key;
}

/** The sandbox's own doors, which the node does not open to what comes through a proxy. */
function serveDoors(): { readonly url: string; readonly stop: () => Promise<void> } {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => shop.sandbox.handleControl(new Request(`${shop.url}/__sandbox`)),
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

/** Pays for one call, each in his own way. */
type Buyer = () => Promise<{ status: number; header: string | null }>;

async function createBuyers(): Promise<readonly Buyer[]> {
  const buy = async (headers: Record<string, string>, ip: string) => {
    const response = await fetch(`${frontOf(Number(ip.split(".")[3]))}/one`, {
      headers: { ...headers, "X-Forwarded-For": ip },
    });
    await response.arrayBuffer();
    return { status: response.status, header: headers["PAYMENT-SIGNATURE"] ?? headers["payment-signature"] ?? null };
  };
  const byClient =
    (payer: Payer, ip: string): Buyer =>
    async () =>
      buy(await payFor(`${frontOf(Number(ip.split(".")[3]))}/one`, payer, 2), ip);
  const byMpp = (ip: string): Buyer => {
    const { ask, answer } = createMppBuyer();
    const url = `${frontOf(Number(ip.split(".")[3]))}/one`;
    return async () => {
      const challenge = await ask(url, { headers: { "X-Forwarded-For": ip } });
      return buy({ Authorization: await answer(challenge) }, ip);
    };
  };
  // One wallet's, so that short hours have vouchers too. Nobody else knows one before it is claimed.
  const channel = createChannelBuyer(shop);
  const byChannel =
    (ip: string): Buyer =>
    async () => {
      const response = await channel.buy(`${frontOf(Number(ip.split(".")[3]))}/one?q=${crypto.randomUUID()}`, {
        headers: { "X-Forwarded-For": ip },
      });
      await response.arrayBuffer();
      return { status: response.status, header: null };
    };
  const doors = serveDoors();
  const createBuyer = async (n: number): Promise<Buyer> => {
    const ip = `198.51.100.${n}`;
    if (n % 5 === 0) return byClient((await SOLANA?.newPayer(doors.url)) as Payer, ip);
    if (n % 5 === 1) return byClient((await ALGORAND?.newPayer(doors.url)) as Payer, ip);
    if (n % 10 === 4) return byMpp(ip);
    if (n % 10 === 9) return byChannel(ip);
    const account = privateKeyToAccount(generatePrivateKey());
    if (n % 5 === 2) {
      const api_key = await buyKey(account, "/buy-credits", ip);
      return () => buy({ "X-API-Key": api_key }, ip);
    }
    if (n % 10 === 3) {
      const api_key = await buyKey(account, "/day-pass", ip);
      return () => buy({ "X-API-Key": api_key }, ip);
    }
    return async () => buy(Object.fromEntries(await signed(account)), ip);
  };
  const buyers = await Promise.all(Array.from({ length: HONEST }, (_, n) => createBuyer(n)));
  await doors.stop();
  return buyers;
}

/** The shop, and the proxies before it. */
async function openShop(): Promise<void> {
  shop = await startMoneyNode(HOSTILE_CONFIG, model.attach, {
    products: HOSTILE_PRODUCTS,
    // The proxies' address as a socket of both families names it.
    server: 'trusted_proxies = ["::ffff:127.0.0.1"]',
    timeout: TIMEOUT,
  });
  shop.work.produce = () => Bun.sleep(1);
  const started: (string | null)[] = [];
  for (const proxy of PROXIES.filter(({ name }) => name !== "haproxy")) {
    started.push(await startProxy(proxy, shop.url, true));
  }
  fronts = started.filter((url) => url !== null);
  if (fronts.length === 0) fronts = [shop.url];
}

/** What jobs do every five minutes: they are due by the system's clock, not the shop's. */
async function keepUp(): Promise<void> {
  for (const job of ["ledger-checkpoint", "ledger-ended"]) {
    await askOperation({ url: shop.url, operator_token: shop.node.operator_token }, "run_job", { job });
  }
}

/** How often each attack was answered with which status. */
function createTally() {
  const seen = new Map<string, number>();
  return {
    note(attack: string, status: number): void {
      const key = `${attack} ${status}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    },
    of: (key: string): number => seen.get(key) ?? 0,
    matching: (pattern: RegExp): readonly string[] => [...seen.keys()].filter((key) => pattern.test(key)),
    render: (): string =>
      [...seen]
        .map(([key, count]) => `${key}: ${count}`)
        .sort()
        .join("; "),
  };
}
type Tally = ReturnType<typeof createTally>;

/** Everybody who calls the shop, one minute at a time. */
async function createVisitors({ note }: Tally) {
  const corrupted = corruptFacilitator(shop);
  const buyers = await createBuyers();
  const victim = privateKeyToAccount(generatePrivateKey());
  const first = await drain(fetch(`${shop.url}/one`, { headers: headersOf(await signed(victim), "198.51.100.200") }));
  expect(first).toBe(200);
  const pass = await buyKey(privateKeyToAccount(generatePrivateKey()), "/day-pass", "203.0.113.99");
  let public_payment = "";
  const attacks = await createAttacks({
    now: shop.clock.now,
    frontOf,
    victim: victim.address,
    pass,
    note,
    getPublicPayment: () => public_payment,
  });
  const insiders = createInsiders({ shop, corrupted, frontOf, note });
  const balance = await buyKey(privateKeyToAccount(generatePrivateKey()), "/buy-credits", "203.0.113.98");
  const modest = await buyKey(privateKeyToAccount(generatePrivateKey()), "/buy-credits", "198.51.100.210");
  const keys = { pass, balance, honest: modest };
  const work = createWorkAttacks({ shop, frontOf, ...keys, refuseToSettle: corrupted.refuseToSettle, note });
  const honest: number[] = [];

  /** What needs somebody inside, once a minute. */
  async function betray(minute: number): Promise<void> {
    const robbed = privateKeyToAccount(generatePrivateKey());
    await buyKey(robbed, "/buy-credits", "198.51.100.201");
    // Before the chain is asked the first time nobody knows; one look later each lie has to be seen there.
    const lies = minute < 2 || process.env.TEST_LONG ? LIES : 0;
    const turn = gas_shop?.turn(minute).then(({ burner, honest: bought }) => {
      note("gas burner", burner);
      honest.push(bought);
    });
    const lied = Array.from({ length: lies }, (_, n) => insiders.lie(minute * LIES + n));
    await Promise.all([insiders.impersonate(robbed.address), ...lied, turn]);
  }

  /** What pays for nothing, beside all else. */
  async function workForNothing(): Promise<void> {
    await Promise.all([work.findNothing(FOR_NOTHING), work.shutModel(SILENCED), work.askAlike(), work.passOn()]);
    await work.lookAtLive();
  }

  async function liveMinute(minute: number): Promise<void> {
    const hostile: Promise<unknown>[] = [betray(minute), workForNothing(), work.holdThread(HEAVY_CONNECTIONS)];
    const slow = Array.from({ length: SLOW_UPLOADS }, (_, n) => uploadSlowly(frontOf(n)));
    for (let n = 0; n < HOSTILE_A_MINUTE; n++) {
      const sent_before = minute * HOSTILE_A_MINUTE + n;
      hostile.push(attacks.attack(sent_before));
      if (n % 40 === 0) {
        hostile.push(attacks.flood(n / 40), attacks.overdraw(n / 40), attacks.twins(sent_before));
        hostile.push(insiders.spoof(`198.51.100.${honest.length % HONEST}`));
      }
      if (n % 20 === 19) await Promise.all(hostile.splice(0));
      if (n % (HOSTILE_A_MINUTE / BUYS_A_MINUTE) !== 5) continue;
      const buyer = buyers[honest.length % HONEST] as Buyer;
      const { status, header } = await buyer();
      honest.push(status);
      public_payment = header ?? public_payment;
      shop.clock.advance(MINUTE_MS / BUYS_A_MINUTE);
    }
    await Promise.all(hostile);
    for (const socket of slow) socket.destroy();
    await shop.node.checkSettlements();
    if (minute % UPKEEP_MINUTES === 0) await keepUp();
  }
  return { honest, liveMinute };
}

/** What strangers got that is not theirs. */
function expectNothingTaken(tally: Tally, honest: readonly number[]): void {
  expect(tally.matching(/^(forgery|overdrawn|nested|spoofed|gas burner) 200$/)).toEqual([]);
  expect(tally.matching(/^health (?!200)/)).toEqual([]);
  expect(tally.matching(/ 5\d\d$/).filter((key) => !key.endsWith(" 503"))).toEqual([]);
  // What the last buyers paid for is public for a few fetches, then no more.
  expect(tally.of("replay 200")).toBeLessThanOrEqual(5 * (honest.length + 1));
  expect(tally.of("pass 200")).toBeGreaterThan(0);
  // The facilitator believed every impostor; none was shown the key.
  expect(tally.matching(/^impostor /).length).toBeGreaterThan(0);
  expect(tally.matching(/^(stolen key|believed) /)).toEqual([]);
  expect(tally.matching(/^not believed /).length).toBe(1);
  // It lied before anybody could know; then each lie had to be seen on the chain.
  expect(tally.of("lie 200")).toBe(LIES);
  expect(tally.of("lie 503")).toBeGreaterThan(0);
}

/** Work that nobody pays for is bounded, and nobody else notices it. */
function expectBounded(tally: Tally): void {
  for (const holder of ["one payment", "a pass", "a balance"]) {
    const times = tally.of(`nothing, ${holder} 404`);
    expect([holder, times > 0, times <= FOR_NOTHING_MAX + MINUTES * AT_ONCE]).toEqual([holder, true, true]);
    expect(tally.of(`nothing, ${holder} 429`)).toBe(MINUTES * FOR_NOTHING - times);
  }
  expect(worked.relayed).toBeLessThanOrEqual(FOR_NOTHING_MAX + MINUTES * AT_ONCE);
  expect(tally.matching(/^(live false|sold twice)/)).toEqual([]);
  expect(tally.matching(/^passed on/)).toEqual(["passed on, told 402"]);
  expect(tally.matching(/^words /)).toEqual(["words 200"]);
  expect(tally.of("sold once each 0")).toBe(MINUTES);
  expect(tally.of("heavy 200")).toBeGreaterThan(0);
}

/** What channels earned is what was bought by them, and one claim and one sweep bring it home. */
async function expectChannelsPaid(): Promise<void> {
  const [before] = await shop.node.channelTotals();
  expect(before?.earned).toBe(10_000n * BigInt(MINUTES * (BUYS_A_MINUTE / 10)));
  await shop.node.runChannels({ all: true });
  expect((await shop.node.channelTotals())[0]).toMatchObject({
    earned: before?.earned,
    swept: before?.earned,
    unclaimed: 0n,
    unswept: 0n,
    lost: 0n,
  });
}

async function expectOpen(): Promise<void> {
  // What was answered last is shown for half a second of the shop's clock.
  shop.clock.advance(1_000);
  const live = (await (await fetch(`${shop.url}/live`)).json()) as {
    networks_left_out: unknown[];
    networks: { network: string; doubted: number; waits_for_chain: boolean }[];
  };
  expect(live.networks_left_out).toEqual([]);
  const base = live.networks.find(({ network }) => network === "eip155:84532");
  expect(base).toMatchObject({ doubted: LIES, waits_for_chain: true });
  const gas = await gas_shop?.look();
  if (gas) expect(gas).toEqual({ sent: MINUTES, left_out: [] });
}

describe("a hostile hour", () => {
  test("costs honest buyers nothing, keeps the books and stays within its memory", async () => {
    const tally = createTally();
    await openShop();
    // Who comes through the proxies is limited by his own address.
    const asked = await fetch(`${frontOf(0)}/get-pricing`, { headers: { "X-Forwarded-For": "203.0.113.77" } });
    expect(asked.headers.get("RateLimit")).not.toBeNull();
    if (process.env.TEST_LONG) gas_shop = await (await import("../helpers/gas-shop.ts")).openGasShop();
    const { honest, liveMinute } = await createVisitors(tally);
    let heap_after_first = 0;
    for (let minute = 0; minute < MINUTES; minute++) {
      await liveMinute(minute);
      Bun.gc(true);
      const { heapUsed } = process.memoryUsage();
      if (minute === 0) heap_after_first = heapUsed;
      expect(heapUsed - heap_after_first).toBeLessThan(HEAP_GROWTH_MAX);
    }
    await keepUp();
    const files = bytesOf(shop.data);
    if (process.env.TEST_LONG) {
      const heap = process.memoryUsage().heapUsed - heap_after_first;
      console.info(`${tally.render()}; ${files} bytes of files, ${heap} bytes more heap`);
    }
    expect(honest).toEqual(Array(MINUTES * (BUYS_A_MINUTE + (gas_shop ? 1 : 0))).fill(200));
    expectNothingTaken(tally, honest);
    expectBounded(tally);
    await expectChannelsPaid();
    expect(await shop.node.audit()).toMatchObject({ ok: true, findings: [] });
    expect(files).toBeLessThan(FILES_MAX + MINUTES * HOSTILE_A_MINUTE * FILES_MAX_EACH);
    await expectOpen();
  });
});
