import { beforeAll, describe, expect, test } from "bun:test";
import { type AnswerSize, measureAnswers } from "../helpers/answer-sizes.ts";

/** What a buyer's context can spare for one answer nobody asked details of. */
const TOKENS_MAX = 4_000;
/** Tables over many chains, with a source for each address that was read: what they are for. */
const TABLES: Readonly<Record<string, number>> = {
  "/multi-chain-arbitrage": 6_000,
  // Figures of some thirty series of an office, with a source for each: what it is for.
  "/br-macro": 6_600,
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
