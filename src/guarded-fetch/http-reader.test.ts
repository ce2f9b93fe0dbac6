import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createHTTPReader, type RawAnswer } from "./http-reader.ts";

const LIMITS = { method: "GET", headers_bytes_max: 1_000, bytes_max: 100 };

/** Feeds a text in pieces of the given sizes, then the end of the connection. */
function read(text: string, sizes: readonly number[] = [], method = "GET"): RawAnswer {
  const bytes = Buffer.from(text, "latin1");
  const reader = createHTTPReader({ ...LIMITS, method });
  let offset = 0;
  for (const size of [...sizes, bytes.length]) {
    const answer = reader.push(bytes.subarray(offset, offset + size));
    if (answer) return answer;
    offset += size;
  }
  return reader.end();
}

const show = ({ status, headers, body }: RawAnswer) => ({
  status,
  headers: Object.fromEntries(headers),
  body: Buffer.from(body).toString("latin1"),
});

const WHOLE: readonly (readonly [text: string, status: number, body: string])[] = [
  ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"],
  ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello and more that is not ours", 200, "hello"],
  ["HTTP/1.0 200\r\n\r\nuntil the end", 200, "until the end"],
  ["HTTP/1.1 204 No Content\r\n\r\n", 204, ""],
  [
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nLink: x\r\n\r\nHTTP/1.1 402 Pay\r\nContent-Length: 1\r\n\r\n.",
    402,
    ".",
  ],
  ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", 200, "abcde"],
  ["HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\nA-Trailer: 1\r\n\r\n", 200, ""],
];

describe("an answer", () => {
  test.each(WHOLE)("%j", (text, status, body) => expect(show(read(text))).toMatchObject({ status, body }));

  test("is the same however its bytes arrive", () => {
    fc.assert(
      fc.property(fc.constantFrom(...WHOLE), fc.array(fc.integer({ min: 1, max: 9 })), ([text], sizes) => {
        expect(show(read(text, sizes))).toEqual(show(read(text)));
      }),
    );
  });

  test("of HEAD has no body, whatever its length says", () => {
    expect(read("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", [], "HEAD").status).toBe(200);
  });

  test("keeps headers that come twice", () => {
    expect(read("HTTP/1.1 204 x\r\nA: 1\r\na:  2 \r\n\r\n").headers.get("a")).toBe("1, 2");
  });
});

describe("refused", () => {
  test.each([
    ["no HTTP", "SSH-2.0-OpenSSH\r\n\r\n", "http"],
    ["another version", "HTTP/2 200 OK\r\n\r\n", "http"],
    ["a folded header", "HTTP/1.1 200 OK\r\nA: 1\r\n 2\r\n\r\n", "http"],
    ["space before the colon", "HTTP/1.1 200 OK\r\nA : 1\r\n\r\n", "http"],
    ["a bare line feed", "HTTP/1.1 200 OK\r\nA: 1\nB: 2\r\n\r\n", "http"],
    ["a zero byte in a header", "HTTP/1.1 200 OK\r\nA: \0\r\n\r\n", "http"],
    ["two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "http"],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "http",
    ],
    ["an unknown coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "http"],
    ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "http"],
    ["a chunk that is no number", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "http"],
    ["a chunk longer than it said", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "http"],
    ["a chunk line without end", `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${"0".repeat(300)}`, "http"],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n", "http"],
    ["a body cut short", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", "http"],
    ["chunks cut short", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "http"],
    ["headers cut short", "HTTP/1.1 200 OK\r\nA: 1\r\n", "http"],
    ["headers that are too long", `HTTP/1.1 200 OK\r\nA: ${"x".repeat(1_000)}\r\n\r\n`, "headers"],
    ["headers that never end", `HTTP/1.1 200 OK\r\nA: ${"x".repeat(2_000)}`, "headers"],
    ["interim answers without end", "HTTP/1.1 100 Continue\r\n\r\n".repeat(50), "headers"],
    [
      "trailers without end",
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${"A: 1\r\n".repeat(200)}`,
      "headers",
    ],
    ["a length that is too long", "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n", "body"],
    ["a chunk that is too long", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", "body"],
    ["a body that is too long", `HTTP/1.1 200 OK\r\n\r\n${"x".repeat(101)}`, "body"],
  ])("%s", (_, text, rule) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ rule }));
    // One byte at a time it is refused for the same reason.
    expect(() => read(text, new Array(text.length).fill(1))).toThrow(expect.objectContaining({ rule }));
  });
});
