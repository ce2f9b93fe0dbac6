import { beforeAll, describe, expect, test } from "bun:test";
import { type AnswerSize, measureAnswers } from "../helpers/answer-sizes.ts";

/** What a buyer's context can spare for one answer nobody asked details of. */
const TOKENS_MAX = 4_000;
/** Tables over many chains, with a source for each address that was read: what they are for. */
const TABLES: Readonly<Record<string, number>> = {
  "/multi-chain-arbitrage": 6_000,
  // Figures of some thirty series of an office, with a source for each: what it is for.
  "/br-macro": 6_600,
  // Written from whole answers of four to nine products, with a source for each address those read.
  "/br-brief": 21_000,
  "/global-morning-brief": 15_500,
  "/job/br-market-brief": 9_800,
  // Seven minds over two rounds, each with its reasons and what it changed; and what is most unusual, with its facts.
  "/council-deep": 6_500,
  "/research-brief": 7_000,
  // Every fact the answer was allowed to use, each with the product and field it is from: so that it can be followed.
  "/deep-think": 15_500,
  // A report to publish, as Markdown and in sections, with a table of all its figures.
  "/relatorio": 26_500,
  // Three whole dossiers, with a source for each address that was read.
  "/whale-dossier": 7_000,
  // Whole answers of five and six products: what they are for.
  "/agent-composable": 9_000,
  "/starter-pack": 9_000,
};

describe("a default answer", () => {
  let sizes: readonly AnswerSize[];
  beforeAll(async () => {
    sizes = await measureAnswers();
  });

  test("is there for every product of the sandbox", () => {
    expect(sizes.length).toBeGreaterThan(20);
    expect(sizes.filter(({ tokens }) => tokens === null)).toEqual([]);
  });

  test(`costs a model at most ${TOKENS_MAX} tokens`, () => {
    const large = sizes.filter(({ path, tokens }) => (tokens ?? 0) > (TABLES[path] ?? TOKENS_MAX));
    expect(large).toEqual([]);
  });
});
