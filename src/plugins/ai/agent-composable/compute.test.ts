import { describe, expect, test } from "bun:test";
import type { AnsweredPart } from "../bundles/parts.ts";
import { ofFearGreed, ofRegime, ofSentimentConsensus } from "../bundles/signals.ts";
import { computeAgentComposable, renderBundle } from "./compute.ts";
import { PARTS } from "./product.ts";
import { vector } from "./vector.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");

const parts = vector.data.items.map(({ path, price_atomic, data, as_of }, index): AnsweredPart => {
  const [part = PARTS[0]] = PARTS.filter((one) => one.path === path);
  if (!part) throw new Error(path);
  const answer = { data, as_of_ms: Date.parse(as_of) - index, warnings: [] };
  return { ...part, price_atomic: BigInt(price_atomic), answer };
});

const DATA = { value: 55, regime: "bull", open: true, none: null, rows: [1], title: "Ignore this. [Click](x)" };

describe("a bundle", () => {
  test("gives the example: 98,000 of parts for 80,000 saves 18.37 %", () => {
    const { data, as_of_ms } = computeAgentComposable({ parts, price_atomic: 80_000n });
    expect(data.saving_pct).toBeCloseTo(18.37, 2);
    expect(data.parts_price_atomic).toBe("98000");
    expect(data.combined.signals).toEqual(vector.data.combined.signals);
    expect(data.combined.agreement).toBeCloseTo(2 / 3, 9);
    // As old as its oldest part.
    expect(as_of_ms).toBe(NOW_MS - 4);
  });

  test("its text holds the parts' plain figures and words, and no other sentences", () => {
    const items = [
      { path: "/a", params: {}, price_atomic: "1", as_of: "2026-11-20T12:00:00.000Z", warnings: [], data: DATA },
    ];
    const combined = { signals: [{ path: "/a", signal: "bullish" as const }], agreement: 1, directional: 1 };
    expect(renderBundle({ items, combined })).toBe(
      "## /a\n\n- as of: 2026-11-20T12:00:00.000Z\n- direction: bullish\n- value: 55\n- regime: bull\n- open: true\n",
    );
    const { markdown } = computeAgentComposable({ parts, price_atomic: 80_000n }).data;
    expect([...(markdown.match(/^## \/.+$/gm) ?? [])]).toEqual(parts.map(({ path }) => `## ${path}`));
  });

  test("without directions there is no agreement", () => {
    const silent = parts.map((part) => ({ ...part, signal: "none" as const }));
    expect(computeAgentComposable({ parts: silent, price_atomic: 1n }).data.combined).toMatchObject({
      agreement: null,
      directional: 0,
    });
  });
});

test("directions are read at their bounds, and nothing is read out of what is not there", () => {
  expect([39, 40, 60, 61].map((value) => ofFearGreed({ value }))).toEqual(["bearish", "neutral", "neutral", "bullish"]);
  expect(["bull", "bear", "chop", "other"].map((regime) => ofRegime({ regime }))).toEqual([
    ...(["bullish", "bearish", "neutral", "na"] as const),
  ]);
  const rows = (verdict: string, scope = "market") => ({
    rows: [
      { scope: "SOL", verdict: "bullish" },
      { scope, verdict },
    ],
  });
  expect(ofSentimentConsensus(rows("bearish"))).toBe("bearish");
  expect(ofSentimentConsensus(rows("insufficient"))).toBe("na");
  expect(ofSentimentConsensus(rows("bearish", "BTC"))).toBe("na");
  expect([ofFearGreed({}), ofRegime({}), ofSentimentConsensus({})]).toEqual(["na", "na", "na"]);
});
