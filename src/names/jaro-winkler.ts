/** Characters that may be compared; longer words are cut. */
const CHARS_MAX = 64;
const PREFIX_MAX = 4;
const PREFIX_SCALE = 0.1;
/** Winkler's prefix bonus is given to pairs that are alike already. */
const BOOST_ABOVE = 0.7;

const matched_a = new Uint8Array(CHARS_MAX);
const matched_b = new Uint8Array(CHARS_MAX);

/**
 * Marks the characters that both have within the window and counts them. The window is Jaro's: half of the longer
 * word, less one.
 */
function markMatches(a: string, b: string): number {
  const window = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  matched_a.fill(0, 0, a.length);
  matched_b.fill(0, 0, b.length);
  let matches = 0;
  for (let i = 0; i < a.length; i++) {
    const code = a.charCodeAt(i);
    const end = Math.min(b.length, i + window + 1);
    for (let j = Math.max(0, i - window); j < end; j++) {
      if (matched_b[j] === 1 || b.charCodeAt(j) !== code) continue;
      matched_a[i] = 1;
      matched_b[j] = 1;
      matches++;
      break;
    }
  }
  return matches;
}

/** How many matched characters are in another order. */
function countMoved(a: string, b: string): number {
  let moved = 0;
  let j = 0;
  for (let i = 0; i < a.length; i++) {
    if (matched_a[i] === 0) continue;
    while (matched_b[j] === 0) j++;
    if (a.charCodeAt(i) !== b.charCodeAt(j)) moved++;
    j++;
  }
  return moved;
}

/**
 * How alike two words are, from 0 to 1, compared by UTF-16 unit: M. A. Jaro (1989) with W. E. Winkler's bonus for a
 * common prefix (1990): prefix of at most 4, scale 0.1, only above 0.7. Not for whole names: word by word.
 */
export function jaroWinkler(left: string, right: string): number {
  if (left === right) return 1;
  const [a, b] = [left.slice(0, CHARS_MAX), right.slice(0, CHARS_MAX)];
  const matches = markMatches(a, b);
  if (matches === 0) return 0;
  const transpositions = countMoved(a, b) / 2;
  const jaro = (matches / a.length + matches / b.length + (matches - transpositions) / matches) / 3;
  if (jaro <= BOOST_ABOVE) return jaro;
  let prefix = 0;
  while (prefix < PREFIX_MAX && prefix < a.length && a.charCodeAt(prefix) === b.charCodeAt(prefix)) prefix++;
  return jaro + prefix * PREFIX_SCALE * (1 - jaro);
}
