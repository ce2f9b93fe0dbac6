/** One challenge of a WWW-Authenticate header: a scheme and its parameters, names in lower case. */
export interface AuthChallenge {
  readonly scheme: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Longer headers are not read. */
const HEADER_CHARS_MAX = 32_768;
const CHALLENGES_MAX = 20;

const SPACE = /[\t ,]*/y;
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const EQUALS = /[\t ]*=[\t ]*/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;

/**
 * Reads the challenges of a WWW-Authenticate header (RFC 9110, section 11); a response may put several into one header.
 * Parsing stops at the first thing that cannot be read: nothing after it is guessed.
 */
export function parseAuthChallenges(header: string): readonly AuthChallenge[] {
  if (header.length > HEADER_CHARS_MAX) return [];
  const found: { scheme: string; params: Record<string, string> }[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(header);
    if (match) at = pattern.lastIndex;
    return match;
  };
  for (;;) {
    take(SPACE);
    const word = take(TOKEN)?.[0];
    if (word === undefined || found.length > CHALLENGES_MAX) return found;
    const current = found.at(-1);
    if (take(EQUALS) === null) {
      found.push({ scheme: word, params: {} });
      continue;
    }
    const value = take(QUOTED)?.[1]?.replaceAll(/\\(.)/g, "$1") ?? take(TOKEN)?.[0];
    const name = word.toLowerCase();
    // A repeated parameter is ambiguous.
    if (value === undefined || current === undefined || Object.hasOwn(current.params, name)) return found;
    current.params[name] = value;
  }
}
