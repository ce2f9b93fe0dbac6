import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { createCatalog } from "../../src/catalog/catalog.ts";
import type { Source } from "../../src/catalog/context.ts";
import { createRunner, type OriginKeeper } from "../../src/catalog/runner.ts";
import { NodeError } from "../../src/core/errors.ts";
import type { ThreadTurns } from "../../src/core/thread-turns.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { at_end } from "./at-end.ts";
import { createSimulatedNode, type SimulatedNode, type SimulatedNodeOptions } from "./simulated-node.ts";
import { STILL_TIMERS } from "./still-clock.ts";

/** Every provider of the built-in plugins: licences and keys that an operator would have to get. */
const PROVIDERS = new Map(
  registry
    .flatMap(({ products, jobs }) => [...products.map(({ product }) => product), ...jobs])
    .flatMap(({ providers }) => providers.map((provider) => [provider.id, provider] as const)),
);
const LICENSED: readonly string[] = [...PROVIDERS.values()]
  .filter(({ terms }) => terms.class === "restricted")
  .map(({ id }) => id);
const API_KEYS: Readonly<Record<string, string>> = Object.fromEntries(
  [...PROVIDERS.values()].filter(({ key }) => key).map(({ id }) => [id, `key-of-${id}`]),
);
const DAY_MS = 86_400_000;
/** Providers that are asked by jobs. */
export const JOB_PROVIDERS: readonly string[] = [
  ...new Set(registry.flatMap(({ jobs }) => jobs.flatMap(({ providers }) => providers.map(({ id }) => id)))),
].sort();

/** Plugins with a job that asks this provider. */
export const pluginsAsking = (provider: string): readonly string[] =>
  registry
    .filter(({ jobs }) => jobs.some(({ providers }) => providers.some(({ id }) => id === provider)))
    .map(({ id }) => id);

/** The built-in products, each of them sold. */
export const PRODUCTS: readonly CatalogProduct[] = createCatalog({
  plugins: registry,
  prices: {},
  preview_delay_ms: 900_000,
  reserved_paths: [],
  whyNot: () => null,
}).products;

/** A node that holds every licence and key. */
export const createWholeNode = (options: SimulatedNodeOptions): SimulatedNode =>
  createSimulatedNode({ licensed: LICENSED, api_keys: API_KEYS, ...options });

/**
 * Takes in every dataset, then runs every job once, in the order of the registry; what fails is told.
 * @param plugins those whose jobs run; all of them unless given.
 */
export async function runJobs(node: SimulatedNode, plugins?: ReadonlySet<string>): Promise<readonly string[]> {
  const failed = [...(await node.takeInDatasets())];
  for (const job of registry.filter(({ id }) => !plugins || plugins.has(id)).flatMap(({ jobs }) => jobs)) {
    await job.run(node.createContext()).catch(() => failed.push(job.id));
  }
  return failed;
}

/** A node with everything at hand: what its jobs stored now, and what became of the records of three days ago. */
export async function createNodeWithPast(now_ms: number): Promise<SimulatedNode> {
  const node = createWholeNode({ now_ms: now_ms - 3 * DAY_MS });
  await runJobs(node);
  node.clock.set(now_ms);
  await runJobs(node);
  return node;
}

const pasts = new Map<number, Promise<SimulatedNode>>();
/** The same for all files of this process, which neither write to it nor close it: it takes ten seconds of a core. */
export function shareNodeWithPast(now_ms: number): Promise<SimulatedNode> {
  const open = async () => {
    const node = await createNodeWithPast(now_ms);
    at_end.push(node.close);
    return node;
  };
  const past = pasts.get(now_ms) ?? open();
  pasts.set(now_ms, past);
  return past;
}

export interface Sold {
  readonly data: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly sources: readonly Source[];
  readonly as_of: string;
}

/** What a buyer gets: data, or the refusal that costs nothing. */
export type Outcome = { readonly ok: true; readonly sold: Sold } | { readonly ok: false; readonly error: NodeError };

/** Produces a product's example call as the node would; throws what is neither data nor a refusal. */
export async function produce(
  node: SimulatedNode,
  product: CatalogProduct,
  request = product.params.fromBody(product.definition.example.params),
  turns?: ThreadTurns,
  origins?: OriginKeeper,
): Promise<Outcome> {
  const runner = createRunner({
    node_id: "test",
    sandbox: true,
    clock: node.clock,
    // Upstreams that hang end by themselves; a slow machine ends nothing.
    timers: STILL_TIMERS,
    history: node.history,
    createContext: node.createRun,
    find: (path) => PRODUCTS.find((one) => one.path === path),
    onFailure: () => undefined,
    onSuccess: () => undefined,
    ...(turns === undefined ? {} : { turns }),
    ...(origins === undefined ? {} : { origins }),
  });
  try {
    const { body } = await runner.produce(product, request);
    return { ok: true, sold: JSON.parse(body) as Sold };
  } catch (error) {
    if (error instanceof NodeError) return { ok: false, error };
    throw error;
  }
}
