import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { CatalogProduct } from "../../src/catalog/catalog.ts";
import { NodeError, UpstreamError } from "../../src/core/errors.ts";
import type { Fault } from "../../src/sandbox/upstreams.ts";
import {
  createNodeWithPast,
  createWholeNode,
  JOB_PROVIDERS,
  type Outcome,
  PRODUCTS,
  produce,
  runJobs,
} from "../helpers/catalog-world.ts";
import { listFaults } from "../helpers/product-rig.ts";
import type { SimulatedNode } from "../helpers/simulated-node.ts";

/**
 * Every fault of every provider of every product: the answer is a refusal that costs nothing, or it says what it lacks.
 * A provider fails either now, with the stored series of an hour ago at hand, or it has always failed.
 */
/** Within the half hour after a four-hour close, in which signals are made. */
const START_MS = Date.UTC(2026, 9, 1, 12, 24, 56);
const DAY_MS = 86_400_000;
const BROKEN = listFaults();
/** What the sandbox calls stale is eight days old. */
const STALE_DAYS = 7;

let whole: SimulatedNode;
let now_ms = START_MS;
const baselines = new Map<string, Outcome>();
beforeAll(async () => {
  whole = await createNodeWithPast(START_MS);
  // Jobs take time: what they stored is of just before now.
  now_ms = whole.clock.now();
  for (const product of PRODUCTS) {
    const node = createWholeNode({ now_ms, stores: whole });
    baselines.set(product.path, await produce(node, product));
  }
}, 120_000);
afterAll(() => whole.close());

/** Paths of members that are null, in objects; lists are left alone, their rows come and go. */
function listNulls(value: unknown, at: readonly string[] = []): readonly (readonly string[])[] {
  if (value === null) return [at];
  if (typeof value !== "object" || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => listNulls(inner, [...at, name]));
}

/** Whether a warning names a field, as a word of its own. */
const namesField = (warning: string, name: string): boolean =>
  new RegExp(`(^|[^a-z0-9_])${name}($|[^a-z0-9_])`, "i").test(warning);

/** What is wrong with an outcome; empty when it is an answer that says what it lacks, or a proper refusal. */
function judge(product: CatalogProduct, outcome: Outcome, fault: Fault): readonly string[] {
  if (!outcome.ok) {
    const { status, code } = outcome.error;
    const is_proper = status === 503 || status === 504;
    return is_proper && !/TypeError|undefined is not|RangeError/.test(String(outcome.error.cause))
      ? []
      : [`${status} ${code}: ${outcome.error.message} ${outcome.error.cause}`];
  }
  const { data, warnings, as_of } = outcome.sold;
  const baseline = baselines.get(product.path);
  const faults: string[] = [];
  const known = new Set(baseline?.ok ? listNulls(baseline.sold.data).map((path) => path.join(".")) : []);
  for (const path of listNulls(data)) {
    if (known.has(path.join("."))) continue;
    const is_named = path.some((name) => warnings.some((text) => namesField(text, name)));
    if (!is_named) faults.push(`${path.join(".")} is null without a word`);
  }
  if (fault === "stale" && baseline?.ok) {
    const lag_days = (Date.parse(baseline.sold.as_of) - Date.parse(as_of)) / DAY_MS;
    if (lag_days >= STALE_DAYS) faults.push(`as_of ${as_of} is old data sold as new`);
  }
  return faults;
}

/** Those of the products it asks for are among them. */
const providersOf = ({ providers }: CatalogProduct): readonly string[] => providers.map(({ id }) => id);

/** Runs one product on a node of its own with one provider broken now. */
async function runBroken(product: CatalogProduct, provider: string, fault: Fault): Promise<readonly string[]> {
  const node = createWholeNode({ now_ms, stores: whole });
  node.upstreams.setFault(provider, fault);
  const outcome = await produce(node, product);
  return judge(product, outcome, fault).map((text) => `${provider} ${fault}: ${text}`);
}

describe("with everything at hand", () => {
  test.each(PRODUCTS.map((product) => [product.path, product] as const))("%s is sold", (path) => {
    const baseline = baselines.get(path);
    expect([path, baseline?.ok, baseline?.ok === false ? baseline.error.message : ""]).toEqual([path, true, ""]);
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
    }, 60_000);
  }
});

describe("one provider broken for ever, jobs included", () => {
  for (const provider of JOB_PROVIDERS) {
    for (const fault of ["http500", "stale"] as const) {
      test(`${provider} with the fault ${fault}`, async () => {
        const node = createWholeNode({ now_ms: START_MS });
        node.upstreams.setFault(provider, fault);
        await runJobs(node);
        const wrong: string[] = [];
        for (const product of PRODUCTS.filter((one) => providersOf(one).includes(provider))) {
          const fresh = createWholeNode({ now_ms: node.clock.now(), stores: node });
          fresh.upstreams.setFault(provider, fault);
          const outcome = await produce(fresh, product);
          wrong.push(...judge(product, outcome, fault).map((text) => `${product.path}: ${text}`));
        }
        node.close();
        expect(wrong).toEqual([]);
      }, 60_000);
    }
  }
});

describe("every provider broken from the start", () => {
  for (const fault of BROKEN) {
    test(`nothing is sold that was not read: ${fault}`, async () => {
      const node = createWholeNode({ now_ms: START_MS });
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
            const is_told = fault === "stale" && warnings.some((text) => text.includes("states a time"));
            return sources.length > 0 && !is_told ? `${product.path} was sold` : "";
          }
          return judge(product, outcome, fault).join();
        }),
      );
      node.close();
      expect(answers.filter((text) => text !== "")).toEqual([]);
    }, 60_000);
  }
});

test("the judge sees what it is there to see", () => {
  const [product] = PRODUCTS;
  if (!product) throw new Error("no product");
  const baseline = baselines.get(product.path);
  if (!baseline?.ok) throw new Error("no baseline");
  const [name] = Object.entries(baseline.sold.data).find(([, value]) => value !== null) ?? [""];
  const silent: Outcome = {
    ok: true,
    sold: { ...baseline.sold, warnings: [], data: { ...baseline.sold.data, [name]: null } },
  };
  expect(judge(product, silent, "http500")).toHaveLength(1);
  const told: Outcome = { ok: true, sold: { ...silent.sold, warnings: [`${name}: gone`] } };
  expect(judge(product, told, "http500")).toEqual([]);
  const old: Outcome = { ok: true, sold: { ...baseline.sold, as_of: "2020-01-01T00:00:00Z" } };
  expect(judge(product, old, "stale")).toHaveLength(1);
  const crash = new NodeError("upstream_bad_response", "x", { cause: new TypeError("undefined is not an object") });
  expect(judge(product, { ok: false, error: crash }, "html")).toHaveLength(1);
  const refusal = new NodeError("upstream_unavailable", "x", {
    cause: new UpstreamError("upstream_timeout", "x", "x"),
  });
  expect(judge(product, { ok: false, error: refusal }, "html")).toEqual([]);
});
