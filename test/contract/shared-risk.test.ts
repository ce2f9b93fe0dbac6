import { expect, test } from "bun:test";
import { type GistTeller, tellGist } from "../../src/catalog/gist.ts";
import { product as dossier_product } from "../../src/plugins/tokens/job-token-research/product.ts";
import { countRules } from "../../src/plugins/tokens/judge/known.ts";
import { product as launches } from "../../src/plugins/tokens/launch-risk/product.ts";
import { product as report_product } from "../../src/plugins/tokens/rugcheck/product.ts";
import { product as intel } from "../../src/plugins/tokens/token-intel/product.ts";
import { ZOO } from "../../src/upstream/providers/simulated-tokens/zoo.ts";
import { createProductRig } from "../helpers/product-rig.ts";

/**
 * What four products say of one token's risk is one judgement: the same points, the same part known, the same rules
 * that hold and the same that are not known.
 */
const DEFAULTS = { now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) };
const rig = createProductRig(launches, DEFAULTS);
const [reports, intels, dossiers] = [
  createProductRig(report_product, DEFAULTS),
  createProductRig(intel, DEFAULTS),
  createProductRig(dossier_product, DEFAULTS),
];

type Findings = readonly { readonly id: string }[];
interface Judged {
  readonly risk: number;
  readonly coverage: number;
  readonly unknown: readonly unknown[];
  readonly hard_fails: Findings;
  readonly caps: Findings;
}

/** What is told of a judgement, without the words. */
const pick = ({ risk, coverage, unknown, hard_fails, caps }: Judged) => ({
  risk,
  coverage,
  unknown,
  hard_fails: hard_fails.map(({ id }) => id),
  caps: caps.map(({ id }) => id),
});

/** How many rules a sentence says are not known. */
const rulesToldBy = (product: GistTeller, data: unknown): string | null => {
  const told = tellGist(product, { data, as_of: "2026-10-01T12:34:56Z" });
  return told && (/and (\d+) rules? not known/.exec(told.text)?.[1] ?? "0");
};

for (const { id, chain, address } of ZOO.filter(({ truth }) => truth !== "blue_chip")) {
  test(`${id} is judged alike in all products that judge it`, async () => {
    const node = rig.createNode();
    const [item] = (await rig.run(node, `mint=${address}&chain=${chain}`)).data.items;
    if (!item) throw new Error("it was not judged");
    const dossier = (await dossiers.run(node, `token=${address}&chain=${chain}`)).data;
    expect(pick(dossier)).toEqual(pick(item));
    const { safety } = (await intels.run(node, `token=${address}&chain=${chain}`)).data;
    expect(pick(item)).toEqual(safety);
    // Whoever calls all points known says which rules are not.
    const open = String(countRules(item.unknown));
    expect(rulesToldBy(dossier_product, dossier)).toBe(open);
    expect(rulesToldBy(launches, { items: [item] })).toBe(open);
    // The worst verdict is the worst in each product's own words.
    expect(dossier.verdict === "AVOID").toBe(item.verdict === "AVOID");
    if (chain !== "solana") return;
    const report = (await reports.run(node, `mint=${address}`)).data;
    expect(rulesToldBy(report_product, report)).toBe(open);
    expect(pick(report)).toEqual(pick(item));
    expect(report.risk_level === "critical").toBe(item.hard_fails.length > 0);
  });
}
