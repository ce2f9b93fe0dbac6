const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A random base62 text from the system's generator; each character carries 5.95 bits. */
export function randomText(characters: number): string {
  let text = "";
  while (text.length < characters) {
    // Bytes above 247 are thrown away: 248 = 4 x 62 keeps every character equally likely.
    for (const byte of crypto.getRandomValues(new Uint8Array(characters + 8))) {
      if (byte < 248 && text.length < characters) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** Milliseconds as 7 base62 digits: later times sort later, until the year 2081. */
function timeText(ms: number): string {
  let text = "";
  for (let rest = Math.max(0, Math.floor(ms)); text.length < 7; rest = Math.floor(rest / 62))
    text = ALPHABET[rest % 62] + text;
  return text;
}

/**
 * An id with a readable prefix: "rcp_…", 7 characters of time and 16 random ones (95 bits). Ids made at the same time
 * are neighbours in an index, so a commit touches fewer pages.
 */
export const newId = (prefix: string, now_ms: number): string => `${prefix}_${timeText(now_ms)}${randomText(16)}`;

/** Digits of a request's number, base 36: two thousand million requests have ids of one length. */
const REQUEST_DIGITS = 6;
const BASE = 36;
/** The last two of them are looked up: every request pays for what makes its id. */
const LAST = BASE * BASE;

/**
 * Request ids: unique and cheap (a counter behind a random start), because every request gets one. They name a request
 * in logs and answers; nothing relies on them being secret. They have one length, so that an id can be put into bytes
 * that are made already.
 */
export function createRequestIds(): () => string {
  const start = `req_${randomText(10)}`;
  const last = Array.from({ length: LAST }, (_, index) => index.toString(BASE).padStart(2, "0"));
  let count = 0;
  let head = "";
  return () => {
    const index = count % LAST;
    if (index === 0) head = start + (count / LAST).toString(BASE).padStart(REQUEST_DIGITS - 2, "0");
    count += 1;
    return head + last[index];
  };
}
