import { join } from "node:path";
import { createWorkBudget } from "../../src/calls/work-budget.ts";
import { whyNotInBasket } from "../../src/catalog/basket-items.ts";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { createPreviews, type Snapshot } from "../../src/catalog/previews.ts";
import type { Runner } from "../../src/catalog/runner.ts";
import { isNodeError } from "../../src/core/errors.ts";
import type { HTTPCall } from "../../src/http/http-call.ts";
import { createResponder } from "../../src/http/respond.ts";
import { createWatchPreviewRoute } from "../../src/http/watch-preview.ts";
import { openMarketDb } from "../../src/stores/market-db.ts";
import { checkCondition } from "../../src/watches/check-condition.ts";
import { readCondition } from "../../src/watches/condition.ts";
import { PRODUCTS } from "./catalog-world.ts";
import { createCountedTurns } from "./held-thread.ts";
import type { ProductNode } from "./product-node.ts";

/** Looks back at samples of the whole catalog, by the door that a stranger asks. */
/** As previews keep one of. */
const STEP_MS = 6 * 3_600_000;
const WORK_SIZES = { per_minute: 30, ms_per_unit: 1_000, atomic_per_unit: 50_000n };
/** Fields that a condition may look at. */
const LEAVES_MAX = 20;

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);

/** Conditions on every list and every figure of an answer; those on the longest lists come first. */
function listConditions(data: unknown): readonly object[] {
  const lists: { readonly rows: number; readonly condition: object }[] = [];
  const figures: object[] = [];
  const walk = (value: unknown, field: string): void => {
    const under = (name: string | number): string => (field === "" ? `${name}` : `${field}.${name}`);
    if (isScalar(value)) figures.push({ field, op: "changed" });
    else if (Array.isArray(value)) {
      const [first] = value as readonly unknown[];
      const by = isJson(first) ? Object.keys(first).find((name) => isScalar(first[name])) : undefined;
      if (by !== undefined) lists.push({ rows: value.length, condition: { field, op: "new", by } });
      if (value.length > 0) walk(first, under(0));
    } else if (isJson(value)) {
      for (const [name, one] of Object.entries(value)) walk(one, under(name));
    }
  };
  walk(data, "");
  return [...lists.toSorted((a, b) => b.rows - a.rows).map(({ condition }) => condition), ...figures];
}

/** The condition that makes a look at a product's sample cost most, of those that a buyer may set. */
function findHeaviestCondition({ definition }: CatalogProduct, data: unknown): object {
  const legal = listConditions(data).filter((one) => {
    try {
      checkCondition(readCondition(one), definition.data);
      return true;
    } catch (error) {
      if (isNodeError(error)) return false;
      throw error;
    }
  });
  return { any: legal.slice(0, LEAVES_MAX) };
}

export interface LookBack {
  readonly status: number;
  readonly samples: number;
  /** Units of unpaid work that were counted. */
  readonly units: number;
  /** The longest piece that held the thread, ms of its own processor time. */
  readonly longest_ms: number;
}

export interface LookBacks {
  /** What is kept of a product each time, as it is stored. */
  readonly keptOf: (product: CatalogProduct) => Snapshot;
  /** Looks back at so many samples. */
  readonly look: (product: CatalogProduct, samples: number) => Promise<LookBack>;
  readonly close: () => void;
}

/** Products that a watch may ask. */
export const WATCHABLE = PRODUCTS.filter((product) => whyNotInBasket(product) === null);

/** Of what a node keeps of its products, which has lived for some days. */
export function openLookBacks({ data_dir, clock }: Pick<ProductNode, "data_dir" | "clock">): LookBacks {
  const first = openMarketDb(join(data_dir, "market-sandbox.db"), { clock });
  const keptOf = ({ id, path, previewRequests }: CatalogProduct): Snapshot => {
    const kept = first.newestSnapshot(id, previewRequests()[0].key, Number.MAX_SAFE_INTEGER);
    if (kept === null) throw new Error(`no sample of ${path} is kept`);
    return kept;
  };

  const look = async (product: CatalogProduct, samples: number): Promise<LookBack> => {
    const store = openMarketDb(":memory:", { clock });
    const [{ key, params }] = product.previewRequests();
    const { body } = keptOf(product);
    for (let n = 0; n < samples; n += 1) {
      const as_of_ms = clock.now() - product.preview_delay_ms - n * STEP_MS;
      store.saveSnapshot({ product: product.id, params_key: key, as_of_ms, taken_at_ms: as_of_ms, body });
    }
    const previews = createPreviews({ node_id: "test", sandbox: true, clock, store, runner: NO_RUNNER });
    const work = createWorkBudget({ clock, ...WORK_SIZES });
    const turns = createCountedTurns();
    const { handler } = createWatchPreviewRoute({
      responder: createResponder({ public_url: "http://127.0.0.1" }),
      now_ms: clock.now,
      products: () => WATCHABLE,
      nextSample(asked, request, after_ms) {
        const sample = previews.nextPast(asked, request, after_ms);
        return sample && { at_ms: sample.as_of_ms, data: sample.data };
      },
      idle_share: 0.1,
      stamp: () => ({}),
      work,
      limitOf: (client) => client,
      turns,
    });
    const condition = findHeaviestCondition(product, (JSON.parse(body) as { readonly data: unknown }).data);
    const order = JSON.stringify({ product: product.path, params, condition, repeat: true, every: "24h" });
    const response = await handler(callOf(order));
    const { past } = (await response.json()) as { readonly past: { readonly samples: number } };
    store.close();
    const { longest_ms } = turns.status();
    return { status: response.status, samples: past.samples, units: work.totals().spent, longest_ms };
  };
  return { keptOf, look, close: first.close };
}

const refuse = () => {
  throw new Error("a look back produces nothing");
};
const NO_RUNNER: Runner = { fresh: refuse, produce: refuse, produceSnapshots: refuse };

/** What the door reads of a call. */
function callOf(body: string): HTTPCall {
  const headers = { "content-type": "application/json" };
  const unused = () => {
    throw new Error("the door reads nothing else of a call");
  };
  return {
    request: new Request("http://127.0.0.1/watch/preview", { method: "POST", headers, body }),
    request_id: "req_test",
    search: "",
    peer: "203.0.113.1",
    client: "203.0.113.1",
    noCharge: unused,
    count: unused,
    failed: unused,
  };
}
