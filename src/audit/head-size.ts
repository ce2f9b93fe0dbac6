/** Stock nginx reads a head into 4,096 bytes and answers 502 when it is longer; many clients stop at twice that. */
export const HEAD_BYTES = { fits: 4_000, max: 8_192 } as const;

/** The bytes of the head of a 402, as HTTP/1.1 sends it. */
export const sizeOfHead = (headers: Iterable<readonly [name: string, value: string]>): number =>
  [...headers].reduce(
    (sum, [name, value]) => sum + name.length + value.length + ": \r\n".length,
    "HTTP/1.1 402 Payment Required\r\n\r\n".length,
  );
