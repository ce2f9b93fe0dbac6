import { describe, expect, test } from "bun:test";
import type { ProviderDefinition } from "../../src/catalog/provider.ts";
import type { UpstreamRequest } from "../../src/catalog/request.ts";
import { UpstreamError } from "../../src/core/errors.ts";
import { FAULTS } from "../../src/sandbox/upstreams.ts";
import { createWholeNode, PRODUCTS, produce, runJobs } from "../helpers/catalog-world.ts";
import type { SimulatedNode } from "../helpers/simulated-node.ts";

/**
 * Every way of reading a provider that products or jobs have, with every fault, once: what is not the agreed answer is
 * refused where it is read. Products need then be tried with one fault of each kind only (faults.test.ts).
 */
const START_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
/** Each of them leaves something that cannot be the agreed answer. */
const SPOILED = FAULTS.filter((fault) => !["none", "stale", "empty"].includes(fault));

interface Reader {
  readonly provider: ProviderDefinition;
  readonly request: UpstreamRequest<never>;
}

/** The same node, which notes the first request of each schema. */
function noteReaders(node: SimulatedNode, readers: Map<unknown, Reader>): SimulatedNode {
  const note = <C extends { get: unknown }>(context: C): C => ({
    ...context,
    get(provider: ProviderDefinition, request: UpstreamRequest<never>) {
      if (!readers.has(request.schema)) readers.set(request.schema, { provider, request });
      return (context.get as (...args: unknown[]) => unknown)(provider, request);
    },
  });
  return {
    ...node,
    createRun: ((run: never) => note(node.createRun(run))) as SimulatedNode["createRun"],
    createContext: () => note(node.createContext()),
  };
}

const readers = new Map<unknown, Reader>();
const world = noteReaders(createWholeNode({ now_ms: START_MS }), readers);
// Products first: with the series of the jobs at hand some would ask nobody.
for (const product of PRODUCTS) await produce(world, product);
await runJobs(world);
world.close();
const named = [...readers.values()].map((reader, index) => [`${reader.provider.id} ${index}`, reader] as const);

test("products and jobs read every provider they name", () => {
  const read = new Set([...readers.values()].map(({ provider }) => provider.id));
  const wanted = PRODUCTS.flatMap(({ definition }) => definition.providers.map(({ id }) => id));
  // Of several that give the same, only the first is asked while it answers.
  expect(read.size).toBeGreaterThan(new Set(wanted).size / 2);
  expect(named.length).toBeGreaterThanOrEqual(read.size);
});

describe("an answer that is not the agreed one is refused where it is read", () => {
  test.each(named)("%s", async (_, { provider, request }) => {
    const got: string[] = [];
    for (const fault of SPOILED) {
      const node = createWholeNode({ now_ms: START_MS });
      node.upstreams.setFault(provider.id, fault);
      const outcome = await node
        .createContext()
        .get(provider, request)
        .then(() => "was read")
        .catch((error: unknown) => (error instanceof UpstreamError ? null : String(error)));
      if (outcome !== null) got.push(`${fault}: ${outcome}`);
      node.close();
    }
    expect(got).toEqual([]);
  });
});
