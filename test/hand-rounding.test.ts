import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

/**
 * Figures are rounded by what their schema says (`decimals`, `digits`), at the one place all of them pass: a product
 * that rounds in `compute` says it twice, and goes on with less than it knows. Below is what is rounded by hand, and
 * why: the rounded number is an input of something else, or no figure of the answer.
 */
const PLUGINS = join(import.meta.dir, "../src/plugins");

/** File, and how often it rounds. */
const EXCEPTIONS: Readonly<Record<string, readonly [times: number, why: string]>> = {
  "ai/deep-think/compute.ts": [1, "the agreement is judged by it: 0.1 + 0.2 must not be above 0.3"],
  "ai/theses/grade.ts": [1, "a text of a record"],
  "ai/theses/make.ts": [1, "a text of a record"],
  "crypto-market/backtest/compute.ts": [1, "an index into a list"],
  "crypto-market/fear-greed/node-index.ts": [1, "the band is that of the figure shown"],
  "crypto-market/mempool/compute.ts": [1, "a time, to the second"],
  "crypto-market/dex/venue.ts": [1, "an amount on a chain, in whole atomic units"],
  "crypto-market/signals/model.ts": [2, "the record of a signal: its side follows from it, its hash as well"],
  "equities/earnings-whisper/guidance.ts": [1, "the number of a quarter"],
  "equities/facts/splits.ts": [2, "the nearest ratio of small whole numbers, and a ratio in a text"],
  "tokens/kyber-swap/fetch.ts": [1, "an amount on a chain, in whole atomic units"],
  "tokens/routes/launch-risk-record.ts": [1, "a free route: its answer has no schema"],
  "tokens/facts/read-facts.ts": [4, "a fact in its unit; what sources say of it is compared"],
  "tokens/whale-dossier/compute.ts": [1, "it stands in a question, and decides whether that is asked"],
  "trust-desk/agent-call/fetch.ts": [2, "milliseconds of a timer and of a clock"],
  "trust-desk/onchain-credit/compute.ts": [2, "the band is that of the score shown"],
  "trust-desk/x402-audit/probes.ts": [1, "milliseconds of a clock"],
};

/** Readers take a publisher's figures as they are; simulators make such figures. */
const isCompute = (file: string): boolean =>
  !/\.test\.ts$|\.gen\.ts$|(^|\/)(providers|simulated)\/|simulator\.ts$/.test(file);

/** A number rounded; what is rounded inside `${…}` is a word of a text. */
const BY_HAND = /(?<!\$\{)\b(?:roundTo|Math\.round)\(|\bNumber\([^\n]*\.to(?:Fixed|Precision)\(/g;

test("no figure is rounded by hand where its schema can say it", () => {
  const files = [...new Glob("**/*.ts").scanSync(PLUGINS)].filter(isCompute);
  const found = files.flatMap((file) => {
    const times = readFileSync(join(PLUGINS, file), "utf8").match(BY_HAND)?.length ?? 0;
    return times === 0 ? [] : [[file, times] as const];
  });
  expect(files.length).toBeGreaterThan(500);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(EXCEPTIONS).map(([file, [times]]) => [file, times])),
  );
});
