import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { createSlots } from "../../src/calls/slots.ts";
import { createWorkBudget } from "../../src/calls/work-budget.ts";
import { type CatalogProduct, createCatalog } from "../../src/catalog/catalog.ts";
import type { Plan } from "../../src/catalog/plan.ts";
import { defineProduct } from "../../src/catalog/product.ts";
import type { Answer } from "../../src/catalog/runner.ts";
import { createApiKeys } from "../../src/core/api-key.ts";
import type { SettableClock } from "../../src/core/clock.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { encodeHeader } from "../../src/payments/codec.ts";
import type { FacilitatorPool } from "../../src/payments/facilitators/pool.ts";
import type { PaymentToSettle, SettleOutcome, VerifyOutcome } from "../../src/payments/facilitators/types.ts";
import { createFingerprint } from "../../src/payments/fingerprint.ts";
import { createFaults } from "../../src/payments/gate/faults.ts";
import { createPaymentAccess } from "../../src/payments/gate/payment-access.ts";
import { createSignatureChecks } from "../../src/payments/gate/signature-checks.ts";
import { TRANSFER_WITH_AUTHORIZATION, usdcDomain } from "../../src/payments/networks/evm/check-signature.ts";
import { networkById } from "../../src/payments/networks/table.ts";
import { createPurchases } from "../../src/payments/purchases.ts";
import type { Reconciler } from "../../src/payments/reconcile.ts";
import { createStillClock } from "./still-clock.ts";

const network = networkById("eip155:84532");
if (!network) throw new Error("Base Sepolia is in the table");
const NETWORK = network;
const SELLER = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

/** Sold for the same amount as everything else here. */
const PLAN: Plan = {
  name: "test_plan",
  path: "/plan",
  title: "A plan",
  description: "An API key.",
  price_usd: "0.01",
  credit_usd: "0.02",
  duration: null,
  pass: false,
  priority: "standard",
  badge: false,
};

const product = (path: `/${string}`, plan?: Plan) =>
  defineProduct({
    ...(plan ? { plan } : {}),
    path,
    title: path,
    description: "A product of the tests.",
    category: "test",
    tags: ["test"],
    price_usd: "0.01",
    params: Type.Object({}),
    data: Type.Object({ n: Type.Number() }),
    example: { params: {}, as_of: "2026-01-01T00:00:00Z", data: { n: 1 } },
    providers: [],
    requires: [],
    ttl: "0s",
    deadline_ms: 5_000,
    preview: { every: "1h" },
    fetch: async () => 1,
    compute: () => ({ as_of_ms: 0, data: { n: 1 }, warnings: [] }),
  });

export interface Signing {
  readonly account: PrivateKeyAccount;
  readonly value?: bigint;
  readonly to?: string;
  readonly nonce?: `0x${string}`;
  readonly validBefore_s?: number;
  readonly validAfter_s?: number;
  readonly domain_name?: string;
}

/** Signs an EIP-3009 payment as an official client does. */
export async function signPayment(signing: Signing, now_ms = Date.now()) {
  const { account, value = 10_000n, to = SELLER } = signing;
  const random = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex")}` as const;
  const authorization = {
    from: account.address,
    to: to as `0x${string}`,
    value: value.toString(),
    validAfter: String(signing.validAfter_s ?? 0),
    validBefore: String(signing.validBefore_s ?? Math.floor(now_ms / 1000) + 300),
    nonce: signing.nonce ?? random,
  };
  const signature = await account.signTypedData({
    domain: { ...usdcDomain(NETWORK), ...(signing.domain_name ? { name: signing.domain_name } : {}) },
    types: TRANSFER_WITH_AUTHORIZATION,
    primaryType: "TransferWithAuthorization",
    message: {
      from: authorization.from,
      to: authorization.to,
      value,
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce,
    },
  });
  return { signature, authorization };
}

const requirement = {
  scheme: "exact",
  network: NETWORK.id,
  amount: "10000",
  asset: NETWORK.asset,
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { name: "USDC", version: "2" },
};

export const v2Header = (payload: unknown, accepted: object = requirement, extensions?: object): Headers =>
  new Headers({ "payment-signature": encodeHeader({ x402Version: 2, accepted, payload, extensions }) });
/** With the buyer's own name for the payment. */
export const namedHeader = (payload: unknown, id: unknown): Headers =>
  v2Header(payload, requirement, { "payment-identifier": { info: { required: false, id }, schema: {} } });
/** With more headers. */
export const addHeaders = (headers: Headers, more: Readonly<Record<string, string>>): Headers => {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(more)) all.set(name, value);
  return all;
};
export const v1Header = (payload: unknown): Headers =>
  new Headers({ "x-payment": encodeHeader({ x402Version: 1, scheme: "exact", network: "base-sepolia", payload }) });

export interface BenchOptions {
  readonly duplicate_guard_ms?: number;
  readonly limitOf?: (client: string) => string | null;
  readonly countRefused?: (client: string) => void;
  readonly countFree?: (client: string) => void;
  readonly rpc_urls?: readonly string[];
  /** In place of the scripted one. */
  readonly pool?: FacilitatorPool;
  /** In place of the scripted one. */
  readonly reconciler?: (ledger: Ledger, clock: SettableClock) => Reconciler;
  readonly clock?: SettableClock;
  readonly settlementExtensions?: (receipt_id: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** Two products and a plan. */
const createBenchCatalog = () =>
  createCatalog({
    plugins: [
      {
        id: "test",
        title: "Test",
        file: "test",
        origin: "built-in",
        products: [product("/one"), product("/two"), product("/plan", PLAN)].map((one) => ({
          file: "test",
          product: one,
        })),
        jobs: [],
        simulators: [],
      },
    ],
    prices: {},
    preview_delay_ms: 0,
    reserved_paths: [],
    whyNot: () => null,
  });

interface Script {
  verify: (payment: PaymentToSettle) => Promise<VerifyOutcome>;
  settle: (payment: PaymentToSettle) => Promise<SettleOutcome>;
  produce: () => Promise<Answer>;
  /** What the chain says of an unknown payment; null = no word. */
  chain: null | { paid: boolean };
}

/** One facilitator that is always there and says what the test writes. */
const createScriptedPool = (script: Script, calls: { verify: number; settle: number }): FacilitatorPool => ({
  offers: [{ network: NETWORK, pay_to: SELLER, extra: requirement.extra, facilitators: ["one"], fee_payers: [] }],
  unavailable: () => [],
  listedInstead: () => "",
  onChange: () => undefined,
  verify: async (_network, payment) => {
    calls.verify += 1;
    return { outcome: await script.verify(payment), facilitator: "one" };
  },
  settle: async (_facilitator, payment) => {
    calls.settle += 1;
    return { outcome: await script.settle(payment), facilitator: "one" };
  },
  claimsMax: () => 1,
  status: () => [],
  refresh: async () => undefined,
  stop: () => undefined,
});

const createFewSlots = (slots: number) =>
  createSlots({ slots, queue_max: 2_000, holder_queue_max: 2_000, shares: [1, 1, 1, 1, 1], dedicated_share: 0 });

/** The payment gate with a scripted facilitator, a scripted product and a real ledger. */
export function createGateBench(more: BenchOptions = {}) {
  // Payments are signed by the system's clock.
  const clock = more.clock ?? createStillClock(Date.now());
  const limitOf = more.limitOf ?? (() => null);
  const file = join(mkdtempSync(join(tmpdir(), "gate-")), "ledger.db");
  const ledger = openLedger({ file, clock });
  const alarms: Readonly<Record<string, unknown>>[] = [];
  const calls = { verify: 0, settle: 0, produce: 0, chain: 0 };
  const script: Script = {
    verify: async () => ({ kind: "valid" }),
    settle: async () => ({ kind: "settled", transaction: `0xtx${calls.settle}` }),
    produce: async () => ({ body: `{"n":${calls.produce}}`, as_of_ms: 0, expires_at_ms: 0 }),
    chain: null,
  };
  const pool = more.pool ?? createScriptedPool(script, calls);
  const reconciler: Reconciler = more.reconciler?.(ledger, clock) ?? {
    async resolve(row) {
      calls.chain += 1;
      if (script.chain?.paid) {
        await ledger.payments.settle(row.id, { chain_transaction: "0xfound", label: "organic", delivered: false });
      } else if (script.chain) await ledger.payments.end(row.id, "settle_failed", "expired_unused");
      return (await ledger.payments.get(row.id)) ?? row;
    },
    resolveAll: async () => 0,
  };
  const catalog = createBenchCatalog();
  const purchases = createPurchases({
    ledger,
    keys: createApiKeys(new Uint8Array(32).fill(7)),
    clock,
    node_id: "test",
    public_url: "http://localhost",
    sandbox: true,
  });
  const runner = {
    fresh: () => null,
    produce: async () => {
      calls.produce += 1;
      return script.produce();
    },
    produceSnapshots: async () => [],
  };
  const access = createPaymentAccess({
    ledger,
    pool,
    reconciler,
    clock,
    runner,
    produce: async (call, buyer) => {
      const { plan } = call.product.definition;
      if (plan === undefined) return runner.produce();
      const { body, ...purchase } = await purchases.prepare(call, plan, buyer);
      return { body, purchase };
    },
    revealStored: purchases.revealStored,
    public_url: "http://localhost",
    service_name: "test",
    labelOf: () => "organic",
    duplicate_guard_ms: more.duplicate_guard_ms ?? 60_000,
    replay_window_ms: 86_400_000,
    slots: createFewSlots(4),
    stranger_slots: createFewSlots(2),
    signatures: createSignatureChecks({ clock, per_minute: 60, limitOf }),
    faults: createFaults({ clock, limitOf }),
    work: createWorkBudget({ clock, per_minute: 1_000, ms_per_unit: 1_000, atomic_per_unit: 50_000n }),
    limitOf,
    countRefused: more.countRefused ?? (() => undefined),
    countFree: more.countFree ?? (() => undefined),
    rpc_urls: () => more.rpc_urls ?? [],
    ...(more.settlementExtensions ? { settlementExtensions: more.settlementExtensions } : {}),
    log: () => undefined,
    alarm: (event) => alarms.push(event),
  });
  const buy = (headers: Headers, path = "/one", gone = new AbortController().signal, client = "192.0.2.1") => {
    const found = catalog.get(path) as CatalogProduct;
    const request = found.params.defaults;
    return access.serve({
      product: found,
      request,
      fingerprint: createFingerprint("GET", found, request),
      headers,
      client,
      gone,
    });
  };
  /** The row of a payment, as the ledger keeps it. */
  const rowOf = ({ authorization: { from, nonce } }: { authorization: { from: string; nonce: string } }) =>
    ledger.payments.find(`evm:84532:${NETWORK.asset}:${from}:${nonce}`.toLowerCase());
  const newPayer = () => privateKeyToAccount(generatePrivateKey());
  return { clock, ledger, pool, purchases, calls, alarms, script, buy, newPayer, rowOf, access };
}
