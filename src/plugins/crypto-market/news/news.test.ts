import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { createCoinMatcher } from "./coins.ts";
import { keepDistinct } from "./distinct-titles.ts";
import lexicon from "./lexicon.json" with { type: "json" };
import { readTokens, scoreHeadline } from "./score-headline.ts";

/** The same scheme, written word by word with positions counted forward. */
function scoreAgain(title: string): number {
  const words = [...title.toLowerCase().matchAll(/record-breaking|[a-z']+/g)].map(([word]) => word);
  const valences: Record<string, number> = lexicon.valence;
  const boosters: Record<string, number> = lexicon.boosters;
  const weights = words.map((word) => valences[word] ?? 0);
  const turned = words.map(() => false);
  words.forEach((word, at) => {
    for (let step = 1; step <= 3; step += 1) {
      const target = at + step;
      const base = valences[words[target] ?? ""];
      if (base === undefined) continue;
      const boost = boosters[word];
      if (boost !== undefined) {
        weights[target] = (weights[target] ?? 0) + Math.sign(base) * boost * 0.293 * (1.05 - 0.05 * step);
      }
      if (lexicon.negators.includes(word) || /n't$/.test(word)) turned[target] = true;
    }
  });
  const sum = weights.reduce((total, weight, at) => total + (turned[at] ? -0.74 * weight : weight), 0);
  return sum / Math.hypot(sum, Math.sqrt(15));
}

const WORDS = [...Object.keys(lexicon.valence), ...Object.keys(lexicon.boosters), ...lexicon.negators];
const title = fc
  .array(fc.constantFrom(...WORDS, "bitcoin", "the", "don't", "exchange", "in"), { maxLength: 14 })
  .map((words) => words.join(" "));

/** The published seed of the lexicon; "(s)" means both forms. */
const SEED = `surge(s) 2.2, soar(s) 2.4, rally 2, rallies 2, gain(s) 1.5, record 1.4, approval 1.8, approves 1.8,
inflows 1.8, bullish 2.3, adoption 1.4, upgrade 1.3, partnership 1, breakout 1.6, rebound(s) 1.5, recover(s) 1.4,
launch 0.8, buyback 1.5, hack -2.6, hacked -2.8, exploit -2.4, plunge(s) -2.5, crash(es) -2.7, lawsuit -1.7,
outflows -1.7, liquidations -1.8, bearish -2.3, fraud -2.6, ban -1.8, selloff -2.2, tumble(s) -2.1, slump(s) -2,
delist(s) -2, insolvent -2.7, depeg -2.4, charged -1.6, warning -1.1`;

describe("the score of a headline", () => {
  test("is made of the published valences", () => {
    const valences: Record<string, number> = lexicon.valence;
    const published = SEED.split(/,\s+/).flatMap((entry) => {
      const [, word = "", ending, valence] = /^(\w+)(?:\((\w+)\))? (\S+)$/.exec(entry) ?? [];
      return [word, ...(ending ? [word + ending] : [])].map((one) => [one, Number(valence)] as const);
    });
    expect(published).toHaveLength(47);
    expect(published.filter(([word, valence]) => valences[word] !== valence)).toEqual([]);
  });

  test.each([
    ["Bitcoin surges to record as ETF inflows return", 0.8126],
    ["Exchange hacked, token plunges sharply amid liquidations", -0.8854],
    ["Regulator denies ban on staking", 0.3252],
    ["Company holds annual meeting", 0],
  ])("%s: %d", (text, score) => {
    expect(scoreHeadline(text)).toBeCloseTo(score, 4);
  });

  test("is what another writing of the same scheme gives", () => {
    fc.assert(
      fc.property(title, (text) => {
        expect(scoreHeadline(text)).toBeCloseTo(scoreAgain(text), 12);
        expect(Math.abs(scoreHeadline(text))).toBeLessThan(1);
      }),
    );
  });

  test("case, typographic apostrophes and punctuation do not matter", () => {
    expect(scoreHeadline("REGULATOR DOESN\u2019T BAN, staking!")).toBe(scoreHeadline("regulator doesn't ban staking"));
    expect(readTokens("Record-breaking rally")).toEqual(["record-breaking", "rally"]);
  });

  test("a booster before nothing, or four words ahead, changes nothing", () => {
    expect(scoreHeadline("massive meeting")).toBe(0);
    expect(scoreHeadline("massive a b c rally")).toBe(scoreHeadline("a b c rally"));
    expect(scoreHeadline("slightly bearish")).toBeGreaterThan(scoreHeadline("bearish"));
    expect(scoreHeadline("hugely")).toBe(0);
  });

  test("the lexicon has no word of no weight, and none that is a negation or booster too", () => {
    const valences = Object.entries(lexicon.valence);
    expect(valences.length).toBeGreaterThan(140);
    for (const [word, valence] of valences) {
      expect(word).toMatch(/^[a-z]+$/);
      expect(Math.abs(valence) >= 0.5 && Math.abs(valence) <= 3).toBe(true);
      expect(lexicon.negators.includes(word) || word in lexicon.boosters).toBe(false);
    }
  });
});

describe("a headline names a coin", () => {
  test.each([
    ["BTC", "Bitcoin's miners sell", true],
    ["BTC", "BTC tops 70k", true],
    ["BTC", "Bitcoiners gather", false],
    ["BTC", "Bitcoin Cash halves", false],
    ["BTC", "Bitcoin Cash halves as bitcoin holds", true],
    ["ETH", "Ether ETF inflows", true],
    ["ETH", "Ethereum Classic forks", false],
    ["ETH", "Whether it rallies", false],
    ["SOL", "Sol invictus", false],
    ["SOL", "The SOL token", false],
    ["SOL", "$SOL rallies", true],
    ["SOL", "Token (SOL) rallies", true],
    ["SOL", "Solana halts", true],
    ["NEAR", "Bitcoin NEAR record", false],
    ["LINK", "Missing link found", false],
    ["LINK", "Chainlink partners", true],
    ["AVAX", "An avalanche of liquidations", false],
    ["XRP", "XRP lawsuit ends", true],
    ["WEN", "$WEN listed", true],
    ["WEN", "WEN listed", false],
  ])("%s in %j: %p", (symbol, text, expected) => {
    expect(createCoinMatcher(symbol)(text)).toBe(expected);
  });

  test("a text that is not a symbol never becomes a pattern", () => {
    expect(() => createCoinMatcher(".*")).toThrow(RangeError);
    expect(() => createCoinMatcher("")).toThrow(RangeError);
  });
});

describe("repetitions", () => {
  const distinct = (...titles: string[]) =>
    keepDistinct(titles.map((text) => ({ text, tokens: readTokens(text) }))).map(({ text }) => text);

  test("four words of five are the same story, three of four are not; the first stays", () => {
    expect(distinct("a b c d e", "e d c b a", "a b c d", "a b c")).toEqual(["a b c d e", "a b c"]);
    expect(distinct("a b c d", "a b c x")).toHaveLength(2);
    expect(distinct("", "", "1 2")).toHaveLength(3);
  });

  test("the few comparisons find what all comparisons find", () => {
    const word = fc.constantFrom("a", "bb", "cc", "ddd", "eee", "ffff", "gg", "h", "iiiii", "jj");
    const titles = fc.array(fc.array(word, { minLength: 1, maxLength: 8 }), { maxLength: 30 });
    fc.assert(
      fc.property(titles, (lists) => {
        const kept: (typeof lists)[number][] = [];
        for (const list of lists) {
          const same = kept.some((other) => {
            const all = new Set([...list, ...other]);
            const shared = [...new Set(list)].filter((one) => other.includes(one)).length;
            return shared / all.size >= 0.8;
          });
          if (!same) kept.push(list);
        }
        expect(keepDistinct(lists.map((tokens) => ({ tokens }))).map(({ tokens }) => [...tokens])).toEqual(kept);
      }),
    );
  });
});
