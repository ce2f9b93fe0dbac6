import lexicon from "./lexicon.json" with { type: "json" };

/** Changes whenever the lexicon does: scores of two versions are not comparable. */
export const LEXICON_VERSION = lexicon.version;

/**
 * Scheme of VADER (Hutto and Gilbert, ICWSM 2014): a booster close before a word adds 0.293 toward the word's sign,
 * less the farther away it is; a negation close before it turns it by -0.74; the sum s becomes s / sqrt(s^2 + 15). The
 * words are the node's own, made for finance in the spirit of Loughran and McDonald, J. Finance 66 (2011).
 */
const BOOST = 0.293;
const BOOST_BY_DISTANCE = [1, 0.95, 0.9];
const NEGATION = -0.74;
const ALPHA = 15;

const VALENCE: ReadonlyMap<string, number> = new Map(Object.entries(lexicon.valence));
const BOOSTERS: ReadonlyMap<string, number> = new Map(Object.entries(lexicon.boosters));
const NEGATORS: ReadonlySet<string> = new Set(lexicon.negators);

/** Lower-case words; the apostrophe belongs to them. "record-breaking" is one word, because "record" means another. */
export const readTokens = (title: string): readonly string[] =>
  title
    .toLowerCase()
    .replace(/[\u2018\u2019]/g, "'")
    .match(/record-breaking|[a-z']+/g) ?? [];

const isNegator = (token: string): boolean => NEGATORS.has(token) || token.endsWith("n't");

/** What one word weighs after the three before it. */
function getValence(tokens: readonly string[], index: number): number {
  const valence = VALENCE.get(tokens[index] ?? "");
  if (valence === undefined) return 0;
  let value = valence;
  let is_negated = false;
  for (const [distance, share] of BOOST_BY_DISTANCE.entries()) {
    const before = tokens[index - 1 - distance];
    if (before === undefined) break;
    value += (BOOSTERS.get(before) ?? 0) * BOOST * share * Math.sign(valence);
    is_negated ||= isNegator(before);
  }
  return is_negated ? value * NEGATION : value;
}

/** How a headline sounds, -1 (bad) to 1 (good), not reached; 0 without a known word. */
export function scoreTokens(tokens: readonly string[]): number {
  const sum = tokens.reduce((total, _, index) => total + getValence(tokens, index), 0);
  return sum === 0 ? 0 : sum / Math.sqrt(sum * sum + ALPHA);
}

export const scoreHeadline = (title: string): number => scoreTokens(readTokens(title));
