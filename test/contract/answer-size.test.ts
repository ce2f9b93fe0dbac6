import { beforeAll, describe, expect, test } from "bun:test";
import { type AnswerSize, measureAnswers } from "../helpers/answer-sizes.ts";

/** What a buyer's context can spare for one answer nobody asked details of. */
const TOKENS_MAX = 4_000;
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
    const large = sizes.filter(({ tokens }) => (tokens ?? 0) > TOKENS_MAX);
    expect(large).toEqual([]);
  });
});
