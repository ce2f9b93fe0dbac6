import { expect, test } from "bun:test";
import { NodeError } from "../../../core/errors.ts";
import type { PublishedFact } from "../written/published-facts.ts";
import { askFacts } from "./ask-facts.ts";
import { findTopics, pickFacts } from "./topics.ts";

const pathsOf = (question: string): readonly string[] => findTopics(question).map(({ path }) => path);

test("a question on Brazil is answered from Brazil's facts, in either language, and no other one is", () => {
  for (const question of [
    "Will Brazil cut rates this year?",
    "O Copom vai cortar a Selic em dezembro?",
    "O que esperar da inflação brasileira?",
    "Is IPCA above target?",
  ]) {
    expect([question, pathsOf(question)]).toEqual([question, ["/br-brief"]]);
  }
  for (const question of ["Will Bitcoin rise this week?", "Are real yields in the US falling?", "Is gold cheap?"]) {
    expect([question, pathsOf(question)]).toEqual([question, []]);
  }
});

const factOf = (label: string, about: string | null = null): PublishedFact =>
  ({ id: label, name: label, label, about, value: 1, unit: "pct", kind: "level", window: null }) as never;

test("of many facts those are taken that share words with the question, in their own order", () => {
  const many = Array.from({ length: 60 }, (_, index) => factOf(`share number ${index}`));
  const facts = [...many, factOf("Selic target", "Selic"), factOf("ex-ante real rate")];
  const picked = pickFacts("Will the Selic target fall?", facts, 30);
  expect(picked).toHaveLength(30);
  expect(picked.at(-1)?.label).toBe("Selic target");
  expect(pickFacts("?", facts, 30)).toEqual(facts.slice(0, 30));
});

test("facts of the morning brief that the topic's own facts replace appear once", () => {
  const [topic] = findTopics("Selic?");
  const from = (path: string): PublishedFact => ({ ...factOf("x"), from: path }) as never;
  expect([topic?.covers(from("/br-curve")), topic?.covers(from("/market-brief"))]).toEqual([true, false]);
});

const AS_OF_MS = Date.UTC(2026, 9, 1);

/** Products that publish these facts; the others have no answer. */
function createAsking(published: Readonly<Record<string, readonly PublishedFact[]>>) {
  const ask = async (path: string) => {
    const facts = published[path];
    if (!facts) throw new NodeError("upstream_unavailable", "nothing is there");
    return { data: { facts }, as_of_ms: AS_OF_MS };
  };
  return { ask } as unknown as Parameters<typeof askFacts>[0];
}

test("Brazil's own facts come first, and the morning brief's older telling of them is left out", async () => {
  const brief = [
    { ...factOf("BTC price", "BTC"), from: "/market-brief" },
    { ...factOf("DI rate of 1y"), from: "/br-curve" },
  ] as readonly PublishedFact[];
  const brazil = [factOf("DI rate of 1y"), factOf("Selic target", "Selic")];
  const published = { "/global-morning-brief": brief, "/br-brief": brazil };
  const told = await askFacts(createAsking(published), "What will the Copom do?");
  expect(told.parts.map(({ from, facts }) => [from, facts.map(({ label }) => label)])).toEqual([
    ["brazil", ["DI rate of 1y", "Selic target"]],
    ["brief", ["BTC price"]],
  ]);
  expect(told.warnings).toEqual([]);
});

test("without Brazil's brief the morning brief's facts are used, and a warning names what is missing", async () => {
  const brief = [{ ...factOf("DI rate of 1y"), from: "/br-curve" }] as readonly PublishedFact[];
  const told = await askFacts(createAsking({ "/global-morning-brief": brief }), "What will the Copom do?");
  expect(told.parts.map(({ from, facts }) => [from, facts.length])).toEqual([["brief", 1]]);
  expect(told.warnings).toEqual(["facts: /br-brief could not be had"]);
});
