import { describe, expect, test } from "bun:test";
import { registry } from "../../plugins/registry.gen.ts";
import { renderHtml } from "../html.ts";
import LABELS from "../languages/answers-pt-br.json" with { type: "json" };
import { ENGLISH, wordsOf } from "../words.ts";
import { describeAnswer } from "./answer.ts";
import { answerReaderOf, answerTextsOf } from "./answer-texts.ts";
import { describeData } from "./describe.ts";
import type { AnswerPart } from "./part.ts";
import { createAnswerReader } from "./reader.ts";
import { toHtml } from "./to-html.ts";

const show = (data: unknown, words = ENGLISH): string => renderHtml(toHtml(describeData(data, answerReaderOf(words))));
const textOf = (markup: string): string => markup.replaceAll(/<[^>]*>/g, "|").replaceAll(/\|+/g, "|");
const countTags = (part: AnswerPart): number =>
  typeof part === "string" ? 0 : 1 + part.parts.reduce((sum, one) => sum + countTags(one), 0);

describe("an answer's data", () => {
  test("has its units apart, and numbers and days in the reader's form, without line breaks in them", () => {
    const data = { price_usd: 1234.5, share_pct: 0.12345, day: "2026-11-21", at: "2026-11-21T12:40:00Z", none: null };
    expect(textOf(show(data))).toBe("|price |USD|1,234.5|share |%|0.1235|day|2026-11-21|at|2026-11-21 12:40|none|–|");
    expect(textOf(show(data, wordsOf("pt-BR")))).toContain("|1.234,5|");
    expect(show(data, wordsOf("pt-BR"))).toContain('<span class="whole">21/11/2026 12:40</span>');
  });

  test("has lists of objects as tables: small inner objects as columns, inner lists as rows that open", () => {
    const legs = [{ venue: "a", fee_bps: 3 }];
    const shown = show({
      routes: [
        { id: 1, best: { low: 1, high: 2 }, legs },
        { id: 2, legs: null },
      ],
    });
    expect(textOf(shown)).toContain("|id|best · low|best · high|1|1|2|legs|legs|venue|fee |bps|a|3|");
    expect(shown).toContain('<td colspan="3" class="below"><details class="fold small"><summary>legs</summary>');
  });

  test("has lists of lists as tables, and a list of values in one line", () => {
    expect(
      textOf(
        show({
          points: [
            ["2026-11-21", 1],
            ["2026-11-22", 2],
          ],
        }),
      ),
    ).toContain("|2026-11-21|1|2026-11-22|2|");
    expect(textOf(show({ names: ["a", "b_c", 1.5] }))).toBe("|names|a, b c, 1.5|");
    expect(textOf(show({ names: [], more: {} }))).toBe("|names|none|more|none|");
  });

  test("folds all after the first twelve rows, and counts entries that are not shown", () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({ n }));
    const shown = show({ rows });
    expect(shown).toContain("<summary>and 988 more</summary>");
    expect(textOf(shown)).toContain("and 950 more");
    expect(shown.match(/<tr>/g)?.length).toBe(2 + 50);
  });

  test("is laid out within limits, whatever its depth and size", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 5_000; level += 1) deep = level % 2 ? [{ deep }, [deep]] : { deep };
    expect(countTags(describeData(deep, answerReaderOf(ENGLISH)))).toBeLessThan(40_000);
    const wide = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`m${n}`, Array(500).fill({ a: [{ b: 1 }] })]),
    );
    expect(countTags(describeData(wide, answerReaderOf(ENGLISH)))).toBeLessThan(40_000);
    expect(show("x".repeat(10_000)).length).toBeLessThan(3_000);
  });

  test("stays text, whatever it contains", () => {
    const hostile = '</dl><script>x</script>" onclick="y';
    for (const shown of [show({ [hostile]: hostile }), show([{ [hostile]: [{ [hostile]: hostile }] }])]) {
      expect(shown).not.toContain("<script");
      expect(shown).not.toContain('" onclick="');
    }
  });
});

describe("in Portuguese", () => {
  const PT = wordsOf("pt-BR");

  test("members and states have Portuguese words, and others are marked as English", () => {
    const shown = show({ price_usd: 1, state: "extreme_greed", vsl_oddness: "odd_state" }, PT);
    expect(shown).toContain('<dt>preço <span class="unit">USD</span></dt>');
    expect(textOf(shown)).toContain("|estado|ganância extrema|");
    expect(shown).toContain('<dt><span lang="en">vsl oddness</span></dt><dd><span lang="en">odd state</span></dd>');
    expect(show({ state: "constructor" }, PT)).toContain("constructor");
  });

  test("nine of ten members of the products about Brazil have Portuguese words", () => {
    const { labels } = LABELS;
    const products = registry
      .filter(({ id }) => id === "brazil")
      .flatMap(({ products: own }) => own.map(({ product }) => product));
    expect(products.length).toBeGreaterThan(5);
    for (const { path, data } of products) {
      const named = Object.values(answerTextsOf(data, PT).labels);
      const english = named.filter(([, , is_english]) => is_english).length;
      expect([path, english / named.length < 0.1]).toEqual([path, true]);
    }
    expect(Object.keys(labels).length).toBeGreaterThan(400);
  });
});

/** Every built-in product's example, laid out as by the script of its page. */
test.each(registry.flatMap(({ products }) => products.map(({ product }) => [product.path, product] as const)))(
  "the example of %s is read as a table in both languages, without a name of a field's unit in it",
  (_, product) => {
    const { example, data } = product;
    for (const words of [ENGLISH, wordsOf("pt-BR")]) {
      const reader = createAnswerReader(JSON.parse(JSON.stringify(answerTextsOf(data, words))), 250);
      const parts = describeAnswer(JSON.stringify({ data: example.data, sources: [], warnings: [] }), true, reader);
      const shown = parts.map((part) => renderHtml(toHtml(part))).join("");
      expect(shown).toContain('<div class="shown all">');
      const table = shown.slice(0, shown.indexOf("<summary>JSON"));
      expect(table.match(/<(?:dt|th[^>]*)>[^<]* (?:usd|pct|bps)</g)).toBeNull();
      expect(table).not.toContain("[object");
    }
  },
);
