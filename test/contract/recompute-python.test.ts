import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256Hex } from "../../src/core/hash.ts";
import { createBundle } from "../../src/recompute/bundle.ts";
import { createWholeNode, PRODUCTS, produce, runJobs } from "../helpers/catalog-world.ts";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { createKeptOrigins } from "../helpers/kept-origins.ts";
import type { SimulatedNode } from "../helpers/simulated-node.ts";

/**
 * Programs of another language, written from the products' documents, come to the figures that were sold. They share no
 * code with the node: an error of both would have to be made twice.
 */
const FOLDER = join(import.meta.dir, "../../docs/examples/recompute");
const missing = ensureProgram("python3", "python3");
if (missing !== null) noteSkipped("answers recomputed by programs in Python", missing);

/** The interpreter itself: what stands in the path may be a script that looks for it, each time. */
const PYTHON =
  missing === null
    ? Bun.spawnSync(["python3", "-c", "import sys; print(sys.executable)"]).stdout.toString().trim()
    : "python3";

const NOW_MS = Date.parse("2026-11-27T15:00:00Z");
const folder = mkdtempSync(join(tmpdir(), "recompute-python-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let whole: SimulatedNode;
beforeAll(async () => {
  if (missing !== null) return;
  whole = createWholeNode({ now_ms: NOW_MS });
  // The settlements of Brazil's curve, and a launch to judge.
  expect(await runJobs(whole, new Set(["brazil", "tokens"]))).toEqual([]);
});

/** A product, its parameters, and figures of the answer, any of which may be the one that was changed. */
const CASES: readonly (readonly [string, Record<string, string>, readonly string[]])[] = [
  ["/oracle-consensus", { symbol: "ETH" }, ["consensus_usd", "range_bps", "score", "sources_detail.3.deviation_bps"]],
  [
    "/correlation-matrix",
    { detail: "full" },
    ["windows.0.pearson.2.5", "windows.1.pearson_p.7.1", "windows.1.significant_pairs.4.p_holm", "beta_to_btc.SOL"],
  ],
  ["/br-curve", { futures: "200" }, ["curve.8.nominal", "curve.8.breakeven", "futures.60.du", "slopes.fly_2_5_10"]],
  ["/holder-concentration", {}, ["top5_pct", "hhi_upper", "gini_known", "excluded.0.pct"]],
];

/** The bundle of an answer as its payer gets it, save for the proofs beside it. */
async function sellBundle(path: string, params: Record<string, string>) {
  const product = PRODUCTS.find((one) => one.path === path);
  if (!product) throw new Error(`there is no ${path}`);
  const origins = createKeptOrigins();
  const node = createWholeNode({ now_ms: NOW_MS, stores: whole });
  const request = product.params.fromQuery(`${new URLSearchParams(params)}`);
  expect((await produce(node, product, request, undefined, origins)).ok).toBe(true);
  const origin = origins.kept.at(-1);
  if (!origin) throw new Error("nothing was kept");
  const { made, recipe, inputs } = origin;
  const parts = { body: made.body, sha256: sha256Hex(made.body), inputs, inputs_sha256: recipe.inputs_sha256 };
  return createBundle(
    { ...parts, code_sha256: null, recipe: JSON.stringify(recipe) },
    { is_payer: true, termsOf: () => null },
  );
}

/** The same with one figure of the answer moved by a tenth, and hashes that fit it. */
function forge<B extends { readonly answer: string }>(bundle: B, place: string): B {
  const answer = JSON.parse(bundle.answer) as { data: unknown };
  const names = place.split(".");
  const name = names.pop() ?? "";
  const holder = names.reduce((at, one) => (at as never)[one], answer.data) as Record<string, unknown>;
  const figure = holder[name];
  if (typeof figure !== "number" || figure === 0) throw new Error(`${place} is no figure to change`);
  holder[name] = Number.isInteger(figure) ? figure + 1 : figure * 1.1;
  const text = JSON.stringify(answer);
  return { ...bundle, answer: text, response_sha256: sha256Hex(text) };
}

function run(path: string, bundle: unknown) {
  const file = join(folder, "bundle.json");
  writeFileSync(file, JSON.stringify(bundle));
  const { exitCode, stdout, stderr } = Bun.spawnSync([PYTHON, "-I", "-S", join(FOLDER, `${path}.py`), file], {
    stderr: "pipe",
  });
  return { code: exitCode, said: `${stdout}${stderr}` };
}

describe.skipIf(missing !== null)("a program in Python that knows nothing of this node", () => {
  test.each(CASES)("comes to the figures of %s, and finds any that was changed", async (path, params, places) => {
    const bundle = await sellBundle(path, params);
    expect(run(path, bundle)).toEqual({
      code: 0,
      said: expect.stringMatching(/^\d{2,} figures checked, 0 differ/),
    });
    for (const place of places) {
      const { code, said } = run(path, forge(bundle, place));
      expect([place, code, said]).toEqual([place, 1, expect.stringContaining(", 1 differ")]);
    }
    // Inputs others than those that were sealed, and none at all.
    const { code, said } = run(path, { ...bundle, inputs: `${bundle.inputs} ` });
    expect([code, said]).toEqual([1, expect.stringContaining("inputs_sha256")]);
    expect(run(path, { ...bundle, inputs: null }).code).toBe(2);
  });
});
