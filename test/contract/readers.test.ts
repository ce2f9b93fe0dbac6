import { describe, expect, test } from "bun:test";
import { UpstreamError } from "../../src/core/errors.ts";
import { FAULTS } from "../../src/sandbox/upstreams.ts";
import { type BentRow, renderBent } from "../helpers/bent-rows.ts";
import { createWholeNode, PRODUCTS, produce, runJobs } from "../helpers/catalog-world.ts";
import { EFFORT } from "../helpers/effort.ts";
import { type NotedReader, noteReaders } from "../helpers/noted-readers.ts";
import { judgeReader } from "../helpers/odd-row-judge.ts";
import { TEST_SEED } from "../helpers/seed.ts";

/**
 * Every way of reading a provider that products or jobs have, with every fault, once: what is not the agreed answer is
 * refused where it is read. Products need then be tried with one fault of each kind only (faults.test.ts).
 */
const START_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
/** Each of them leaves something that cannot be the agreed answer. */
const SPOILED = FAULTS.filter((fault) => !["none", "stale", "empty"].includes(fault));

const readers = new Map<unknown, NotedReader>();
/** Those of one schema that read it otherwise, too. */
const readings = new Map<string, NotedReader>();
const schemas: unknown[] = [];
const nameOf = ({ provider, request }: NotedReader): string => {
  if (!schemas.includes(request.schema)) schemas.push(request.schema);
  return `${provider.id} ${request.host ?? ""} ${schemas.indexOf(request.schema)} ${String(request.read)}`;
};
const world = noteReaders(
  noteReaders(createWholeNode({ now_ms: START_MS }), readers, ({ request }) => request.schema),
  readings,
  nameOf,
);
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

/** Bends tried of each list: all in full runs, else three of one of its rows, drawn. */
function drawOf(list: string, bends: readonly BentRow[]): readonly BentRow[] {
  if (EFFORT === "long") return bends;
  const order = (text: string): number => Bun.hash.xxHash32(`${TEST_SEED} ${list} ${text}`);
  const indexes = [...new Set(bends.map(({ index }) => index))];
  const index = indexes[order("row") % indexes.length];
  const ofOne = bends.filter((bent) => bent.index === index);
  return ofOne.toSorted((a, b) => order(renderBent(a)) - order(renderBent(b))).slice(0, 3);
}

describe("one odd row of a list", () => {
  test("leaves the others as they are, or is refused where the list is whole", async () => {
    let answer: unknown;
    const node = createWholeNode({
      now_ms: START_MS,
      bend: async (response) => {
        answer = await response
          .clone()
          .json()
          .catch(() => undefined);
        return response;
      },
    });
    const findings: string[] = [];
    let [lists, cases] = [0, 0];
    for (const reader of readings.values()) {
      answer = undefined;
      await node
        .createContext()
        .get(reader.provider, reader.request)
        .catch(() => undefined);
      const report = await judgeReader(reader, answer, (bends, list) => drawOf(list, bends));
      lists += report.lists;
      cases += report.cases;
      findings.push(...report.findings.map(({ what, text }) => `${what}: ${text}`));
    }
    node.close();
    console.info(`${cases} odd rows in ${lists} lists of ${readings.size} ways of reading, seed ${TEST_SEED}`);
    expect(findings).toEqual([]);
    expect(lists).toBeGreaterThan(80);
  });
});
