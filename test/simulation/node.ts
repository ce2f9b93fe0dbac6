import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import type { AccessMethod, Served } from "../../src/calls/access.ts";
import { createSlots } from "../../src/calls/slots.ts";
import { createWorkBudget } from "../../src/calls/work-budget.ts";
import { type CatalogProduct, createCatalog } from "../../src/catalog/catalog.ts";
import type { Plan } from "../../src/catalog/plan.ts";
import { defineProduct } from "../../src/catalog/product.ts";
import { createApiKeys } from "../../src/core/api-key.ts";
import { once } from "../../src/core/once.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { createChannelAccess } from "../../src/payments/channels/access.ts";
import { createClaimer } from "../../src/payments/channels/claims.ts";
import { createShortfalls } from "../../src/payments/channels/shortfalls.ts";
import type { ChannelAccessOptions } from "../../src/payments/channels/types.ts";
import type { FacilitatorPool } from "../../src/payments/facilitators/pool.ts";
import { createFingerprint } from "../../src/payments/fingerprint.ts";
import { createFaults } from "../../src/payments/gate/faults.ts";
import { createPaymentAccess } from "../../src/payments/gate/payment-access.ts";
import { createSignatureChecks } from "../../src/payments/gate/signature-checks.ts";
import { createKeyAccess } from "../../src/payments/keys/key-access.ts";
import { createAuthorizer } from "../../src/payments/networks/evm/channel-signing.ts";
import { createPurchases } from "../../src/payments/purchases.ts";
import { createReconciler } from "../../src/payments/reconcile.ts";
import { settleStored } from "../../src/payments/settle-stored.ts";
import { NO_CHANGES } from "../helpers/no-changes.ts";
import type { World } from "./world.ts";

const PLAN: Plan = {
  name: "test_plan",
  path: "/plan",
  title: "A plan",
  description: "An API key.",
  price_usd: "0.01",
  credit_usd: "0.03",
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
    description: "A product of the simulation.",
    category: "test",
    tags: [],
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

const CATALOG = createCatalog({
  plugins: [
    {
      id: "test",
      title: "Test",
      file: "test",
      origin: "built-in",
      products: [product("/one"), product("/two"), product("/plan", PLAN)].map((one) => ({ file: "t", product: one })),
      jobs: [],
      simulators: [],
    },
  ],
  prices: {},
  preview_delay_ms: 0,
  reserved_paths: [],
  whyNot: () => null,
});

/** Signs claims: the same key in every life. */
export const authorizers = once(() => Promise.all([createAuthorizer(new Uint8Array(32).fill(9))]));
const HOUR_MS = 3_600_000;

/** Payment channels of one life. */
function createChannels(
  common: Pick<ChannelAccessOptions, "ledger" | "pool" | "clock" | "runner" | "slots" | "work" | "rpc_urls"> &
    Pick<ChannelAccessOptions, "labelOf" | "log" | "purchases"> & { readonly pool: FacilitatorPool },
) {
  const { pool, clock, slots, log } = common;
  const shared = {
    ...common,
    authorizers,
    alarm: log,
    offers: () => pool.offers,
    shortfalls: createShortfalls(clock),
    limits: {
      unclaimed_max: 100_000n,
      unclaimed_all_max: 10_000_000n,
      claim_sum: 50_000n,
      claim_every_ms: HOUR_MS,
      idle_refund_ms: null,
      idle_refund_least: 0n,
    },
  };
  const claimer = createClaimer(shared);
  const channel = createChannelAccess({
    ...shared,
    stranger_slots: slots,
    claimNow: claimer.claimNow,
    changes: NO_CHANGES,
    limitOf: () => null,
    countFree: () => undefined,
    replay_window_ms: 24 * HOUR_MS,
  });
  return { channel, claimer };
}

/** One life of the node: real ledger, gate, keys, reconciler; the world is around it. */
export async function startSimulatedNode(world: World, folder: string) {
  const { clock } = world;
  const ledger = openLedger({ file: join(folder, "ledger.db"), clock });
  await ledger.payments.recover();
  await ledger.charges.recover();
  await ledger.channels.recover();
  const pool = world.createPool();
  const keys = createApiKeys(new Uint8Array(32).fill(7));
  const node = { node_id: "test", public_url: "http://localhost", sandbox: true };
  const purchases = createPurchases({ ledger, keys, clock, ...node });
  const slots = createSlots({
    slots: 3,
    queue_max: 100,
    holder_queue_max: 100,
    shares: [1, 1, 1, 1, 1],
    dedicated_share: 0,
  });
  const runner = { fresh: () => null, produce: world.produce, produceSnapshots: async () => [] };
  const log = () => undefined;
  const rpc_urls = () => [world.rpc_url];
  const labelOf = () => "organic" as const;
  const settleAgain: Parameters<typeof createReconciler>[0]["settleAgain"] = (row) => settleStored(pool, row);
  const reconciler = createReconciler({ ledger, clock, rpc_urls, second_look_ms: 0, labelOf, settleAgain, log });
  const work = createWorkBudget({ clock, per_minute: 1_000, ms_per_unit: 1_000, atomic_per_unit: 50_000n });
  const payment = createPaymentAccess({
    ledger,
    pool,
    reconciler,
    clock,
    runner,
    produce: async (call, buyer) => {
      const { plan } = call.product.definition;
      if (plan === undefined) return world.produce();
      const { body, ...purchase } = await purchases.prepare(call, plan, buyer);
      return { body, purchase };
    },
    revealStored: purchases.revealStored,
    public_url: node.public_url,
    service_name: "test",
    labelOf,
    duplicate_guard_ms: 60_000,
    replay_window_ms: 86_400_000,
    slots,
    stranger_slots: slots,
    signatures: createSignatureChecks({ clock, per_minute: 1_000, limitOf: () => null }),
    faults: createFaults({ clock, limitOf: () => null }),
    work,
    limitOf: () => null,
    countRefused: log,
    countFree: log,
    rpc_urls,
    log,
    alarm: log,
  });
  const key = createKeyAccess({
    ledger,
    runner,
    clock,
    slots,
    countCall: () => null,
    at_once_max: 1_000,
    changes: NO_CHANGES,
    work,
    limitOf: () => null,
  });
  const common = { ledger, pool, clock, runner, slots, work, rpc_urls, labelOf, log, purchases };
  const { channel, claimer } = createChannels(common);
  const serve = (
    method: AccessMethod,
    path: string,
    sent: { headers: Headers; gone: AbortSignal },
  ): Promise<Served> => {
    const found = CATALOG.get(path) as CatalogProduct;
    const request = found.params.defaults;
    const fingerprint = createFingerprint("GET", found, request);
    return method.serve({ product: found, request, fingerprint, client: "192.0.2.1", ...sent });
  };
  return { ledger, reconciler, payment, key, channel, claimer, serve };
}
export type SimulatedNode = Awaited<ReturnType<typeof startSimulatedNode>>;
