import { beforeAll, describe, expect, test } from "bun:test";
import { createWholeNode, JOB_PROVIDERS, PRODUCTS, pluginsAsking, produce, runJobs } from "../helpers/catalog-world.ts";
import { EFFORT } from "../helpers/effort.ts";
import { FAULTS_START_MS, type FaultJudge, listFaults, providersOf, shareFaultJudge } from "../helpers/fault-judge.ts";

/** A provider that has always failed: jobs stored nothing of it, or nothing at all was ever stored. */
let world: FaultJudge;
beforeAll(async () => {
  world = await shareFaultJudge();
});

/** Its own plugin, and those of the products it asks for. */
const pluginsOf = ({ plugin, definition }: (typeof PRODUCTS)[number]): readonly string[] => [
  plugin,
  ...Object.keys(definition.asks ?? {}).flatMap((path) => PRODUCTS.find((one) => one.path === path)?.plugin ?? []),
];

/** Every fourth provider is tried, in turn silent and stale; with full counts each is both. */
const faultsOf = (index: number) =>
  (["http500", "stale"] as const).filter((_, n) => EFFORT !== "quick" || index % 8 === n * 4);

/** Those that read it themselves; with full counts, or where there is none, also those that ask such a one. */
function listConcerned(provider: string): typeof PRODUCTS {
  const readers = PRODUCTS.filter(({ definition }) => definition.providers.some(({ id }) => id === provider));
  if (EFFORT === "quick" && readers.length > 0) return readers;
  return PRODUCTS.filter((one) => providersOf(one).includes(provider));
}

describe("one provider broken for ever, jobs included", () => {
  for (const [index, provider] of JOB_PROVIDERS.entries()) {
    for (const fault of faultsOf(index)) {
      test(`${provider} with the fault ${fault}`, async () => {
        const node = createWholeNode({ now_ms: FAULTS_START_MS });
        node.upstreams.setFault(provider, fault);
        const concerned = listConcerned(provider);
        // Jobs of other plugins store the same as ever, and nobody here reads it.
        await runJobs(node, new Set([...pluginsAsking(provider), ...concerned.flatMap(pluginsOf)]));
        const wrong: string[] = [];
        for (const product of concerned) {
          const fresh = createWholeNode({ now_ms: node.clock.now(), stores: node });
          fresh.upstreams.setFault(provider, fault);
          const outcome = await produce(fresh, product);
          wrong.push(...world.judge(product, outcome, fault).map((text) => `${product.path}: ${text}`));
        }
        node.close();
        expect(wrong).toEqual([]);
      });
    }
  }
});

describe("every provider broken from the start", () => {
  for (const fault of listFaults()) {
    test(`nothing is sold that was not read: ${fault}`, async () => {
      const node = createWholeNode({ now_ms: FAULTS_START_MS });
      node.upstreams.setFault("*", fault);
      // Jobs that hang take their time limits in real seconds, and store nothing.
      if (fault !== "timeout") await runJobs(node);
      const answers = await Promise.all(
        PRODUCTS.filter((product) => product.definition.requires.length > 0).map(async (product) => {
          const fresh = createWholeNode({ now_ms: node.clock.now(), stores: node });
          fresh.upstreams.setFault("*", fault);
          const outcome = await produce(fresh, product);
          // What stands in the node's own ledger needs nobody, and then cites nobody.
          if (outcome.ok) {
            // Nobody can tell how old a price without a time is; an answer made of such alone has to say so.
            const { sources, warnings } = outcome.sold;
            // A list that is taken in today is what it is until its publisher changes it, which can take weeks; a hit
            // in it is never withheld (README of /sanctions), and how long ago it was dated is said.
            const is_told =
              (fault === "stale" && warnings.some((text) => /states a time|publisher dated it/.test(text))) ||
              // A search that finds nothing anywhere has said something (README of /web-search).
              (fault === "empty" && warnings.some((text) => /engine that answered found nothing/.test(text)));
            return sources.length > 0 && !is_told ? `${product.path} was sold` : "";
          }
          return world.judge(product, outcome, fault).join();
        }),
      );
      node.close();
      expect(answers.filter((text) => text !== "")).toEqual([]);
    });
  }
});
