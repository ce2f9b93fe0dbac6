import { afterEach, describe, expect, test } from "bun:test";
import { serializeErc6492Signature } from "viem";
import { createRateLimits } from "../../src/http/limits.ts";
import { createFacilitatorPool, type FacilitatorPool } from "../../src/payments/facilitators/pool.ts";
import type { Facilitator, PaymentToSettle, VerifyOutcome } from "../../src/payments/facilitators/types.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import { createGateBench, signPayment, v2Header } from "../helpers/gate-bench.ts";
import { createStillClock } from "../helpers/still-clock.ts";

const BASE = "eip155:84532";
const SOLANA = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";
const FEE_PAYER = "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9";
const HOSTILE = 10_000;
const ADDRESSES = 20;
const HONEST = 50;
const MINUTE_MS = 60_000;

const network = (id: string) => networkById(id) as NonNullable<ReturnType<typeof networkById>>;
type Authorization = Awaited<ReturnType<typeof signPayment>>["authorization"];
interface Signed {
  readonly signature: string;
  readonly authorization: Authorization;
}

/** A facilitator that trips over contract wallets' signatures, as the official one does, and knows who has money. */
function createTripping(funded: ReadonlySet<string>) {
  const calls = { verify: 0, settle: 0, supported: 0 };
  const judge = ({ payload, checked }: PaymentToSettle): VerifyOutcome => {
    const { signature, authorization } = payload as unknown as Signed;
    if (signature.endsWith("6492".repeat(16))) return { kind: "unavailable", cause: "500", answered: true };
    if (signature.length > 132) return { kind: "unavailable", cause: "no answer in 10000 ms" };
    if (!funded.has(authorization.from)) return { kind: "invalid", reason: "invalid_exact_evm_insufficient_balance" };
    // What was not checked before is forged here: all honest buyers have keys of their own.
    return checked === true && !/^0x(11){64}/.test(signature)
      ? { kind: "valid" }
      : { kind: "invalid", reason: "invalid_exact_evm_signature" };
  };
  const facilitator: Facilitator = {
    id: "official",
    kind: "remote",
    url: "http://official",
    async getSupported() {
      calls.supported += 1;
      const kind = (id: string, extra: object) => ({ scheme: "exact", network: id, extra: { ...extra } });
      return { kinds: [kind(BASE, {}), kind(SOLANA, { feePayer: FEE_PAYER })], signers: {} };
    },
    async verify(payment) {
      calls.verify += 1;
      return judge(payment);
    },
    async settle() {
      calls.settle += 1;
      return { kind: "settled", transaction: `0x${calls.settle.toString(16).padStart(64, "0")}` };
    },
  };
  return { facilitator, calls };
}

const pools: FacilitatorPool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.stop();
});

/** The gate behind its rate limits, as a request meets them. */
async function createShop() {
  const clock = createStillClock(Date.now());
  const funded = new Set<string>();
  const { facilitator, calls } = createTripping(funded);
  const pool = createFacilitatorPool({
    facilitators: [{ facilitator, networks: null }],
    wallets: [
      { network: network(BASE), pay_to: SELLER },
      { network: network(SOLANA), pay_to: "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse" },
    ],
    clock,
    log: () => undefined,
  });
  pools.push(pool);
  await pool.refresh();
  const limits = createRateLimits({
    per_minute: 120,
    key_per_minute: 6_000,
    enabled: true,
    loopback_exempt: false,
    clock,
  });
  const { limitOf, countRefused } = limits;
  const countFree = (client: string) => void limits.count(client);
  const bench = createGateBench({ clock, pool, limitOf, countRefused, countFree });
  const send = async (headers: Headers, client: string, path = "/one"): Promise<string> => {
    try {
      limits.assertTrusted(client);
      await bench.buy(headers, path, undefined, client);
      return "paid";
    } catch (error) {
      const { code, status } = error as { code: string; status: number };
      if (status >= 400 && status < 500) countRefused(client);
      return code;
    }
  };
  return { clock, pool, calls, bench, funded, send };
}
type Shop = Awaited<ReturnType<typeof createShop>>;

/** Twelve ways to be no payment. Each call makes another one. */
async function createHostile({ bench, clock }: Shop, victim: string) {
  const now_s = Math.floor(clock.now() / 1000);
  const account = bench.newPayer();
  const { authorization, signature } = await signPayment({ account }, clock.now());
  let count = 0;
  const nonce = () => `0x${(count++).toString(16).padStart(64, "0")}`;
  const forge = (of: string, more: object = {}) =>
    v2Header({ signature: of, authorization: { ...authorization, nonce: nonce(), ...more } });
  const wrapped = serializeErc6492Signature({
    address: `0x${"22".repeat(20)}`,
    data: "0xabcdef",
    signature: `0x${"11".repeat(65)}`,
  });
  const empty = await Promise.all(
    Array.from({ length: 60 }, () => signPayment({ account: bench.newPayer() }, clock.now())),
  );
  const kinds: readonly (() => Headers)[] = [
    () => forge(`0x${"ab".repeat(300)}${"6492".repeat(16)}`),
    () => forge(wrapped),
    () => forge(`0x${"ab".repeat(4_000)}${"6492".repeat(16)}`),
    () => forge(`0x${"11".repeat(64)}1b`),
    () => forge(signature),
    () => forge(`0x${"11".repeat(200)}`),
    () => forge(`0x${"11".repeat(64)}1b`, { from: victim }),
    () => forge(`0x${"11".repeat(200)}`, { from: victim }),
    () => forge(signature, { value: "9999" }),
    () => forge(signature, { validBefore: String(now_s - 1) }),
    () => v2Header({ signature, permit2Authorization: authorization }),
    () => v2Header(empty[count++ % empty.length]),
  ];
  return (n: number) => (kinds[n % kinds.length] as () => Headers)();
}

describe("10,000 hostile payments a minute, of 12 kinds, from 20 addresses,", () => {
  test("cost no honest buyer anything, and take no network off", async () => {
    const shop = await createShop();
    const { bench, clock, funded, pool, send, calls } = shop;
    const buyers = Array.from({ length: HONEST }, (_, n) => ({ account: bench.newPayer(), ip: `198.51.100.${n}` }));
    for (const { account } of buyers) funded.add(account.address);
    const [regular] = buyers;
    if (!regular) throw new Error("there are buyers");
    const buy = async ({ account, ip }: typeof regular, path?: string) =>
      send(v2Header(await signPayment({ account }, clock.now())), ip, path);
    // One of them paid before, so that his name is known; it is abused all the time.
    expect(await buy(regular)).toBe("paid");
    const hostile = await createHostile(shop, regular.account.address);
    const honest: string[] = [];
    const outcomes = new Map<string, number>();
    let changes = 0;
    pool.onChange(() => {
      changes += 1;
    });
    for (let n = 0; n < HOSTILE; n++) {
      const code = await send(hostile(n), `203.0.113.${n % ADDRESSES}`, n % 2 === 0 ? "/one" : "/two");
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
      clock.advance(MINUTE_MS / HOSTILE);
      if (n % (HOSTILE / HONEST) === 100) honest.push(await buy(buyers[honest.length] ?? regular, "/two"));
    }
    expect(honest).toEqual(Array(HONEST).fill("paid"));
    expect(outcomes.get("paid")).toBeUndefined();
    expect(pool.offers.map((offer) => offer.network.id)).toEqual([BASE, SOLANA]);
    expect(changes).toBe(0);
    // What reached the facilitator: at most what 20 addresses may have refused in a minute, and the honest ones.
    expect(calls.verify - HONEST - 1).toBeLessThan(ADDRESSES * 240);
    expect(calls.settle).toBe(HONEST + 1);
    expect(outcomes.get("rate_limited")).toBeGreaterThan(HOSTILE / 2);
    expect((await bench.ledger.audit()).findings).toEqual([]);
  });
});

describe("what no facilitator can judge", () => {
  test("counts against its sender as a refusal does, and does not slow other payers", async () => {
    const shop = await createShop();
    const { bench, send, funded, calls } = shop;
    const hostile = await createHostile(shop, bench.newPayer().address);
    const seen: string[] = [];
    for (let n = 0; n < 400; n++) seen.push(await send(hostile(1), "203.0.113.1"));
    expect(seen.slice(0, 60)).toEqual(Array(60).fill("facilitator_unavailable"));
    expect(new Set(seen.slice(60))).toEqual(new Set(["rate_limited"]));
    expect(calls.verify).toBe(60);
    const account = bench.newPayer();
    funded.add(account.address);
    expect(await send(v2Header(await signPayment({ account }, shop.clock.now())), "203.0.113.2")).toBe("paid");
  });

  test("sent again and again is turned away before any facilitator", async () => {
    const shop = await createShop();
    const hostile = await createHostile(shop, shop.bench.newPayer().address);
    const headers = hostile(1);
    const seen: string[] = [];
    for (let n = 0; n < 8; n++) seen.push(await shop.send(headers, "203.0.113.1"));
    expect(seen).toEqual([...Array(5).fill("facilitator_unavailable"), ...Array(3).fill("rate_limited")]);
    expect(shop.calls.verify).toBe(5);
  });

  test("ends the shortcut of the payer it names: his next signature is checked here", async () => {
    const shop = await createShop();
    const { bench, send, funded, calls } = shop;
    const account = bench.newPayer();
    funded.add(account.address);
    expect(await send(v2Header(await signPayment({ account }, shop.clock.now())), "203.0.113.2")).toBe("paid");
    const hostile = await createHostile(shop, account.address);
    // A form that only a chain can tell never uses the shortcut.
    expect(await send(hostile(7), "203.0.113.1", "/two")).toBe("facilitator_unavailable");
    const before = calls.verify;
    // 60 signatures a minute that are not their payer's: counted, so they were looked at here.
    const seen: string[] = [];
    for (let n = 0; n < 70; n++) seen.push(await send(hostile(6), "203.0.113.3", "/two"));
    expect(seen.filter((code) => code === "rate_limited").length).toBeGreaterThanOrEqual(10);
    expect(calls.verify - before).toBeLessThanOrEqual(60);
  });
});
