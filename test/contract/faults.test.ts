import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { NodeError, UpstreamError } from "../../src/core/errors.ts";
import { createPack } from "../../src/grounding/facts.ts";
import { createGuard } from "../../src/grounding/guard.ts";
import {
  PublishedFacts,
  subjectsOf,
  toDrafts,
  windowsOf,
} from "../../src/plugins/ai/shared/written/published-facts.ts";
import type { Fault } from "../../src/sandbox/upstreams.ts";
import { createWholeNode, type Outcome, PRODUCTS, produce } from "../helpers/catalog-world.ts";
import { EFFORT } from "../helpers/effort.ts";
import { createFaultJudge, type FaultJudge, providersOf } from "../helpers/fault-judge.ts";
import { listFaults } from "../helpers/product-rig.ts";
import { listImproved, listVerdicts } from "../helpers/verdict-ranks.ts";

/**
 * Every fault of every provider of every product: the answer is a refusal that costs nothing, or it says what it lacks.
 * Here a provider fails now, with the stored series of just before at hand; fault-histories.test.ts has the others.
 */
const BROKEN = listFaults();

let world: FaultJudge;
beforeAll(async () => {
  world = await createFaultJudge();
}, 120_000);
afterAll(() => world.whole.close());

/** Runs one product on a node of its own with one provider broken now. */
async function runBroken(product: CatalogProduct, provider: string, fault: Fault): Promise<readonly string[]> {
  return runWithout(product, [provider], fault);
}

async function runWithout(product: CatalogProduct, providers: readonly string[], fault: Fault) {
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
      const cells = providersOf(product).flatMap((provider) => BROKEN.map((fault) => ({ provider, fault })));
      const hung = cells.filter(({ fault }) => fault === "timeout");
      const wrong: string[] = [];
      for (const { provider, fault } of cells) {
        if (fault !== "timeout") wrong.push(...(await runBroken(product, provider, fault)));
      }
      // Those that hang have time limits in real seconds: they hang side by side.
      const late = await Promise.all(hung.map(({ provider, fault }) => runBroken(product, provider, fault)));
      expect([...wrong, ...late.flat()]).toEqual([]);
    }, 300_000);
  }
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
    300_000,
  );
});

test("the judge sees what it is there to see", () => {
  const [product] = PRODUCTS;
  if (!product) throw new Error("no product");
  const baseline = world.baselines.get(product.path);
  if (!baseline?.ok) throw new Error("no baseline");
  const [name] = Object.entries(baseline.sold.data).find(([, value]) => value !== null) ?? [""];
  const silent: Outcome = {
    ok: true,
    sold: { ...baseline.sold, warnings: [], data: { ...baseline.sold.data, [name]: null } },
  };
  expect(world.judge(product, silent, "http500")).toHaveLength(1);
  const told: Outcome = { ok: true, sold: { ...silent.sold, warnings: [`${name}: gone`] } };
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
