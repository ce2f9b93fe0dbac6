import { beforeAll, describe, expect, test } from "bun:test";
import { listMethods } from "../../src/node/compose-methodology.ts";
import { findMethod } from "../../src/pages/methodology.ts";
import { workOut } from "../../src/pages/methods/evaluate.ts";
import { parseFormula } from "../../src/pages/methods/formula.ts";
import { readMethod } from "../../src/pages/methods/text.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { PRODUCTS } from "../helpers/catalog-world.ts";
import { type FaultJudge, shareFaultJudge } from "../helpers/fault-judge.ts";

// How the figures of every product are made is told to whoever buys them, and each example is worked out on what the
// product really answers: a formula that is not the one in the code is found out here.
const BUILT_IN = registry.flatMap(({ products }) =>
  products.map(({ file, product }) => ({
    file,
    default_path: product.path,
    id: product.path.slice(1),
    definition: product,
  })),
);
const METHODS = listMethods(BUILT_IN);
const NAMED = BUILT_IN.map((product) => [product.default_path, product] as const);

/** Names of settings: what only an operator can do. */
const OPERATOR_TABLES = /\[+(?:providers|plugins|plans|peers|prices|aliases|models|node|chains|bootstrap_trust)\b/;
const OPERATOR_WORDS = new RegExp(`${OPERATOR_TABLES.source}|terms_ack|api_key|node\\.toml|base_url`);

let world: FaultJudge;
beforeAll(async () => {
  world = await shareFaultJudge();
});

const formulasOf = (id: string) => readMethod(findMethod(METHODS, id)?.text ?? "").formulas.map(parseFormula);

describe("how a product's figures are made", () => {
  test.each(NAMED)(
    "%s: method, sources, limits and a worked example, and nothing only an operator can do",
    (_, { id }) => {
      const text = findMethod(METHODS, id)?.text ?? "";
      const headings = readMethod(text).sections.map(({ heading }) => heading);
      expect(headings).toEqual(expect.arrayContaining(["Method", "Sources", "Limits"]));
      expect(formulasOf(id)).not.toEqual([]);
      expect(OPERATOR_WORDS.exec(text)?.[0]).toBeUndefined();
    },
  );

  test.each(NAMED)("%s: each formula gives what the answer states, and one of them can be shown", (path, product) => {
    const { definition, id } = product;
    const sold = PRODUCTS.find((one) => one.path === path);
    const outcome = world.baselines.get(path);
    const whole = outcome?.ok ? outcome.sold.data : null;
    const free = whole === null || !sold ? null : (sold.definition.preview.redact?.(whole as never) ?? whole);
    for (const formula of formulasOf(id)) {
      for (const data of [whole, free]) {
        const worked = data === null ? null : workOut(formula, data);
        if (worked) expect([formula.text, worked.agrees, worked]).toEqual([formula.text, true, worked]);
      }
    }
    const shown = formulasOf(id).filter(
      (formula) => workOut(formula, free) || workOut(formula, definition.example.data)?.agrees,
    );
    expect(shown).not.toEqual([]);
  });
});
