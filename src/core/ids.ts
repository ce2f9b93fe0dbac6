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

/** A random id with a readable prefix: "rcp_4fQ…", 119 random bits. */
export const newId = (prefix: string): string => `${prefix}_${randomText(20)}`;

/**
 * Request ids: unique and cheap (a counter behind a random start), because every request gets one. They name a request
 * in logs and answers; nothing relies on them being secret.
 */
export function createRequestIds(): () => string {
  const start = `req_${randomText(10)}`;
  let count = 0;
  return () => `${start}${(count++).toString(36)}`;
}
