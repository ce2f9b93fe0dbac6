import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { NodeError, UpstreamError } from "../../src/core/errors.ts";
import { nullable } from "../../src/core/schema-fields.ts";
import { createPack } from "../../src/grounding/facts.ts";
import { createGuard } from "../../src/grounding/guard.ts";
import { PublishedFacts, subjectsOf, toDrafts, windowsOf } from "../../src/plugins/ai/written/published-facts.ts";
import type { ScriptedFault } from "../../src/sandbox/upstreams.ts";
import { renderBent } from "../helpers/bent-rows.ts";
import { createWholeNode, type Outcome, PRODUCTS, produce } from "../helpers/catalog-world.ts";
import { EFFORT, repeat } from "../helpers/effort.ts";
import { type FaultJudge, listFaults, providersOf, shareFaultJudge } from "../helpers/fault-judge.ts";
import { listHeaviest } from "../helpers/heaviest.ts";
import { CPU_PER_PRICE_MAX, createCountedTurns, HELD_MS_MAX, HELD_TRIES_MAX } from "../helpers/held-thread.ts";
import { findAskedLists, judgeOddRow } from "../helpers/odd-row-products.ts";
import { TEST_SEED } from "../helpers/seed.ts";
import { listImproved, listVerdicts } from "../helpers/verdict-ranks.ts";
import { listLost, listWordless } from "../helpers/words-for-null.ts";

/**
 * Every fault of every provider of every product: the answer is a refusal that costs nothing, or it says what it lacks.
 * Here a provider fails now, with the stored series of just before at hand; fault-histories.test.ts has the others.
 */
const BROKEN = listFaults();
/** A product is told the same of each of them; readers.test.ts proves that every reader does. */
const REFUSED: readonly ScriptedFault[] = BROKEN.filter((fault) => fault !== "stale");
/** Old data, and one of those that are refused, drawn for each pair; with full counts every fault. */
function drawFaults({ path }: CatalogProduct, provider: string): readonly ScriptedFault[] {
  if (EFFORT !== "quick") return BROKEN;
  const drawn = REFUSED[Bun.hash.xxHash32(`${TEST_SEED} ${path} ${provider}`) % REFUSED.length];
  return BROKEN.filter((fault) => fault === drawn || !REFUSED.includes(fault));
}

let world: FaultJudge;
beforeAll(async () => {
  world = await shareFaultJudge();
});

/** Runs one product on a node of its own with one provider broken now. */
async function runBroken(product: CatalogProduct, provider: string, fault: ScriptedFault): Promise<readonly string[]> {
  return runWithout(product, [provider], fault);
}

async function runWithout(product: CatalogProduct, providers: readonly string[], fault: ScriptedFault) {
  const node = createWholeNode({ now_ms: world.now_ms, stores: world.whole });
  for (const provider of providers) node.upstreams.setFault(provider, fault);
  const outcome = await produce(node, product);
  return world.judge(product, outcome, fault).map((text) => `${providers.join(" and ")} ${fault}: ${text}`);
}

describe("with everything at hand", () => {
  test.each(PRODUCTS.map((product) => [product.path, product] as const))("%s is sold", (path) => {
    const baseline = world.baselines.get(path);
    expect([path, baseline?.ok, baseline?.ok === false ? baseline.error.message : ""]).toEqual([path, true, ""]);
  });

  test.each(PRODUCTS.map((product) => [product.path, product] as const))(
    "%s has a word for each null",
    (path, product) => {
      const baseline = world.baselines.get(path);
      const sold = baseline?.ok ? baseline.sold : undefined;
      expect(sold && listWordless(sold.data, product.definition.data, sold.warnings)).toEqual([]);
    },
  );
});

describe("facts that /deep-think is written from", () => {
  test.each(["/global-morning-brief", "/council"])("those of %s may be told by their labels", (path) => {
    const baseline = world.baselines.get(path);
    const { facts } = Value.Parse(PublishedFacts, baseline?.ok ? baseline.sold.data : null);
    const builder = createPack({ windows: ["24h", ...windowsOf(facts)], subjects: subjectsOf(facts) });
    builder.addAll(toDrafts("asked", facts));
    const pack = builder.build();
    const guard = createGuard(pack, "en");
    const told = pack.facts.map(({ id, label }) => {
      const faults = guard.check({ id: "answer", text: `${label}.`, facts: [id], sources: [] });
      return [label, faults] as const;
    });
    expect(told.filter(([, faults]) => faults.length > 0)).toEqual([]);
    expect(told.length).toBeGreaterThan(5);
  });
});

describe("one provider broken now, series of the jobs at hand", () => {
  for (const product of PRODUCTS) {
    test(`${product.path} refuses or says what it lacks`, async () => {
      const cells = providersOf(product).flatMap((provider) =>
        drawFaults(product, provider).map((fault) => ({ provider, fault })),
      );
      const hung = cells.filter(({ fault }) => fault === "timeout");
      const wrong: string[] = [];
      for (const { provider, fault } of cells) {
        if (fault !== "timeout") wrong.push(...(await runBroken(product, provider, fault)));
      }
      // Those that hang have time limits in real seconds: they hang side by side.
      const late = await Promise.all(hung.map(({ provider, fault }) => runBroken(product, provider, fault)));
      expect([...wrong, ...late.flat()]).toEqual([]);
    });
  }
});

/** Of what a product may be asked: what costs most of all, and in long runs every choice with it. */
const ASKED_MAX = repeat({ quick: 2, full: 2, long: 100 });
/** How often it is tried at least; the best counts, because the first call of all is compiled as it runs. */
const TRIES_MIN = 2;

describe("the serving thread", () => {
  const held = new Map<string, number>();
  const worth = new Map<string, number>();
  afterAll(() => {
    const most = [...held].toSorted(([, a], [, b]) => b - a).slice(0, 12);
    console.info(`held longest, ms: ${most.map(([path, ms]) => `${path} ${ms.toFixed(1)}`).join(", ")}`);
  });

  test.each(PRODUCTS.map((product) => [product.path, product] as const))(
    "is held by no call of %s for long, whatever it asks for",
    async (path, product) => {
      const refused: string[] = [];
      for (const request of listHeaviest(product).slice(0, ASKED_MAX)) {
        let [best_ms, total_ms] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
        const perPrice = () => (total_ms * 1_000) / Number(product.price_atomic);
        const isOver = () => best_ms >= HELD_MS_MAX || perPrice() >= CPU_PER_PRICE_MAX;
        for (let n = 0; n < HELD_TRIES_MAX && (n < TRIES_MIN || isOver()); n += 1) {
          const turns = createCountedTurns();
          const node = createWholeNode({ now_ms: world.now_ms, stores: world.whole });
          const outcome = await produce(node, product, request, turns);
          if (!outcome.ok && n === 0) refused.push(`${JSON.stringify(request.params)}: ${outcome.error.message}`);
          best_ms = Math.min(best_ms, turns.status().longest_ms);
          total_ms = Math.min(total_ms, turns.total_ms());
        }
        held.set(path, Math.max(held.get(path) ?? 0, best_ms));
        worth.set(path, Math.max(worth.get(path) ?? 0, perPrice()));
      }
      // A refusal costs next to nothing: it would prove nothing of what is sold.
      expect(refused).toEqual([]);
      expect(held.get(path)).toBeLessThan(HELD_MS_MAX);
      expect(worth.get(path)).toBeLessThan(CPU_PER_PRICE_MAX);
    },
  );
});

/** Products whose verdict is proven pair by pair: those that say so of a wallet, a token, a seller, a price. */
const hasVerdict = ({ path }: CatalogProduct): boolean => {
  const baseline = world.baselines.get(path);
  return baseline?.ok === true && listVerdicts(baseline.sold.data).size > 0;
};

test("verdicts are known by their words, wherever they stand", () => {
  const judged = PRODUCTS.filter(hasVerdict).map(({ path }) => path);
  expect(judged).toEqual(expect.arrayContaining(["/job/wallet-audit", "/sanctions", "/x402-audit", "/launch-risk"]));
});

describe.skipIf(EFFORT === "quick")("each pair of providers broken", () => {
  test.each(PRODUCTS.map((product) => [product.path, product] as const))(
    "no verdict of %s improves",
    async (_, product) => {
      const providers = hasVerdict(product) ? providersOf(product) : [];
      const pairs = providers.flatMap((a, index) => providers.slice(index + 1).map((b) => [a, b]));
      const wrong: string[] = [];
      for (const pair of pairs) wrong.push(...(await runWithout(product, pair, "http500")));
      expect(wrong).toEqual([]);
    },
  );
});

/** Odd rows tried of each product: all there are in full runs, else one of one product in four, drawn. */
const drawRows = (path: string, lists: Awaited<ReturnType<typeof findAskedLists>>) => {
  const all = lists.flatMap(({ call, bends }) => bends.map((bent) => ({ call, bent })));
  const order = (text: string) => Bun.hash.xxHash32(`${TEST_SEED} ${path} ${text}`);
  const drawn = all.toSorted((a, b) => order(a.call + renderBent(a.bent)) - order(b.call + renderBent(b.bent)));
  return drawn.slice(0, repeat({ quick: 1, full: 1, long: 60 }));
};
const isDrawn = ({ path }: CatalogProduct): boolean =>
  EFFORT === "long" || Bun.hash.xxHash32(`${TEST_SEED} ${path}`) % 4 === 0;

describe("one odd row of one answer", () => {
  let cases = 0;
  afterAll(() => console.info(`${cases} odd rows in products, seed ${TEST_SEED}`));

  test.each(PRODUCTS.filter(isDrawn).map((product) => [product.path, product] as const))(
    "%s has no number that it would not have with or without that row",
    async (path, product) => {
      const full = world.baselines.get(path);
      if (!full) throw new Error(`no baseline of ${path}`);
      const wrong: string[] = [];
      for (const drawn of drawRows(path, await findAskedLists(world, product))) {
        cases += 1;
        wrong.push(...(await judgeOddRow(world, product, { ...drawn, full })));
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe("a null has its word", () => {
  const row = Type.Object({ bid: nullable(Type.Number(), "Bid"), ask: nullable(Type.Number(), "Ask", "for feeds") });
  const schema = Type.Object({ rows: Type.Array(row) });

  test("by a warning that names it or what holds it, or by its schema", () => {
    const data = { rows: [{ bid: null, ask: null }] };
    expect(listWordless(data, schema, [])).toEqual(["rows[].bid"]);
    expect(listWordless(data, schema, ["bidder: gone"])).toEqual(["rows[].bid"]);
    expect(listWordless(data, schema, ["rows[].bid: gone"])).toEqual([]);
    expect(listWordless(data, schema, ["rows: gone"])).toEqual([]);
  });

  test("by a warning alone where nothing was null before a fault", () => {
    const [whole, data] = [{ rows: [{ bid: 1, ask: 2 }] }, { rows: [{ bid: 1, ask: null }] }];
    expect(listLost({ data, warnings: [], whole }, schema)).toEqual(["rows[].ask"]);
    expect(listLost({ data, warnings: ["rows[].ask: gone"], whole }, schema)).toEqual([]);
    expect(listLost({ data, warnings: [], whole: data }, schema)).toEqual([]);
  });
});

test("the judge sees what it is there to see", () => {
  const [product] = PRODUCTS;
  if (!product) throw new Error("no product");
  const baseline = world.baselines.get(product.path);
  if (!baseline?.ok) throw new Error("no baseline");
  const [name] = Object.entries(baseline.sold.data).find(([, value]) => value !== null) ?? [""];
  const silent: Outcome = {
    ok: true,
    sold: { ...baseline.sold, data: { ...baseline.sold.data, [name]: null } },
  };
  expect(world.judge(product, silent, "http500")).toHaveLength(1);
  const told: Outcome = { ok: true, sold: { ...silent.sold, warnings: [...silent.sold.warnings, `${name}: gone`] } };
  expect(world.judge(product, told, "http500")).toEqual([]);
  expect(listImproved({ verdict: "CLEAR" }, { verdict: "CAUTION" })).toEqual([".verdict  is CLEAR and was CAUTION"]);
  expect(listImproved({ verdict: "AVOID" }, { verdict: "OK" })).toEqual([]);
  const old: Outcome = { ok: true, sold: { ...baseline.sold, as_of: "2020-01-01T00:00:00Z" } };
  expect(world.judge(product, old, "stale")).toHaveLength(1);
  const crash = new NodeError("upstream_bad_response", "x", { cause: new TypeError("undefined is not an object") });
  expect(world.judge(product, { ok: false, error: crash }, "html")).toHaveLength(1);
  const refusal = new NodeError("upstream_unavailable", "x", {
    cause: new UpstreamError("upstream_timeout", "x", "x"),
  });
  expect(world.judge(product, { ok: false, error: refusal }, "html")).toEqual([]);
});
