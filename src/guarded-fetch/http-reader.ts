import { GuardError } from "./failure.ts";

/** An answer as received on the wire, its body still packed. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface HTTPReaderOptions {
  readonly method: string;
  readonly headers_bytes_max: number;
  /** Cap of the body as it is sent. */
  readonly bytes_max: number;
}

/** Takes bytes as they come and says when the answer is whole. */
export interface HTTPReader {
  /** The answer, once it is whole. @throws GuardError when it breaks a limit or is not HTTP/1.1. */
  push(bytes: Uint8Array): RawAnswer | undefined;
  /** The answer, if the end of the connection ends it. @throws GuardError when it stopped in the middle. */
  end(): RawAnswer;
}

const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/;
const HEADERS_MAX = 200;
const CHUNK_LINE_MAX = 256;
const bad = (what: string) => new GuardError("http", `the answer is not HTTP/1.1: ${what}`);

interface Head {
  readonly status: number;
  readonly headers: Headers;
}

function parseHead(text: string): Head {
  const [first = "", ...lines] = text.split("\r\n");
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined) throw bad("its first line is no status line");
  if (lines.length > HEADERS_MAX) throw new GuardError("headers", `more than ${HEADERS_MAX} header lines`);
  const headers = new Headers();
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw bad("a header line is malformed");
    headers.append(name, value);
  }
  return { status: Number(status), headers };
}

type Framing = { readonly kind: "length"; readonly bytes: number } | { readonly kind: "chunked" | "close" };

/** RFC 9112 section 6.3, without the cases that two readers could take differently: those are refused. */
function findFraming({ status, headers }: Head, method: string): Framing {
  if (method === "HEAD" || status === 204 || status === 304) return { kind: "length", bytes: 0 };
  const [coding, length] = [headers.get("transfer-encoding"), headers.get("content-length")];
  if (coding !== null) {
    if (length !== null || coding.toLowerCase() !== "chunked") throw bad("its length is stated in two ways");
    return { kind: "chunked" };
  }
  if (length === null) return { kind: "close" };
  if (!/^\d{1,15}$/.test(length)) throw bad("its length is no number");
  return { kind: "length", bytes: Number(length) };
}

/** Bytes that were received and not used yet. */
function createBuffer() {
  let held: Buffer = Buffer.alloc(0);
  return {
    get length() {
      return held.length;
    },
    add: (bytes: Uint8Array) => {
      held = held.length === 0 ? Buffer.from(bytes) : Buffer.concat([held, bytes]);
    },
    /** Up to and without the mark, which is dropped; undefined when it has not come. */
    takeUntil(mark: string): string | undefined {
      const index = held.indexOf(mark, 0, "latin1");
      if (index < 0) return undefined;
      const text = held.toString("latin1", 0, index);
      held = held.subarray(index + mark.length);
      return text;
    },
    take(length: number): Buffer {
      const taken = held.subarray(0, length);
      held = held.subarray(length);
      return taken;
    },
  };
}

type State = "head" | "length" | "close" | "size" | "chunk" | "chunk_end" | "trailer" | "done";

/** Reads one answer of HTTP/1.1 (RFC 9112) strictly and within limits. Interim answers (1xx) are passed over. */
export function createHTTPReader({ method, headers_bytes_max, bytes_max }: HTTPReaderOptions): HTTPReader {
  const buffer = createBuffer();
  const parts: Buffer[] = [];
  let state: State = "head";
  let head: Head | undefined;
  let [head_bytes, body_bytes, missing] = [0, 0, 0];

  function countHead(bytes: number): void {
    head_bytes += bytes;
    if (head_bytes > headers_bytes_max) throw new GuardError("headers", `headers over ${headers_bytes_max} bytes`);
  }

  /** A line that may not have come whole; held bytes count against the limit, so that it cannot grow for ever. */
  function takeLine(mark: string): string | undefined {
    const line = buffer.takeUntil(mark);
    if (line !== undefined) countHead(line.length + mark.length);
    else if (head_bytes + buffer.length > headers_bytes_max) countHead(buffer.length);
    return line;
  }

  function takeBody(length: number): void {
    const taken = buffer.take(length);
    body_bytes += taken.length;
    if (body_bytes > bytes_max) throw new GuardError("body", `body over ${bytes_max} bytes`);
    parts.push(taken);
  }

  function readHead(): boolean {
    const text = takeLine("\r\n\r\n");
    if (text === undefined) return false;
    const next = parseHead(text);
    if (next.status === 101) throw bad("it switches protocols");
    if (next.status < 200) return true;
    head = next;
    const framing = findFraming(next, method);
    if (framing.kind !== "length") state = framing.kind === "chunked" ? "size" : "close";
    else {
      if (framing.bytes > bytes_max) throw new GuardError("body", `body over ${bytes_max} bytes`);
      missing = framing.bytes;
      state = missing === 0 ? "done" : "length";
    }
    return true;
  }

  function readCounted(next: State): boolean {
    const taken = Math.min(missing, buffer.length);
    takeBody(taken);
    missing -= taken;
    if (missing === 0) state = next;
    return taken > 0;
  }

  function readChunkSize(): boolean {
    const line = buffer.takeUntil("\r\n");
    if ((line?.length ?? buffer.length) > CHUNK_LINE_MAX) throw bad("a chunk's size line is too long");
    if (line === undefined) return false;
    const size = /^([0-9a-fA-F]{1,8})[ \t]*(?:;.*)?$/.exec(line)?.[1];
    if (size === undefined) throw bad("a chunk's size is no number");
    missing = Number.parseInt(size, 16);
    if (body_bytes + missing > bytes_max) throw new GuardError("body", `body over ${bytes_max} bytes`);
    state = missing === 0 ? "trailer" : "chunk";
    return true;
  }

  function readChunkEnd(): boolean {
    if (buffer.length < 2) return false;
    if (buffer.take(2).toString("latin1") !== "\r\n") throw bad("a chunk does not end where it said");
    state = "size";
    return true;
  }

  function readTrailer(): boolean {
    const line = takeLine("\r\n");
    if (line === "") state = "done";
    return line !== undefined;
  }

  /** One step forward; false when more bytes are needed. */
  function step(): boolean {
    if (state === "head") return readHead();
    if (state === "length") return readCounted("done");
    if (state === "chunk") return readCounted("chunk_end");
    if (state === "chunk_end") return readChunkEnd();
    if (state === "size") return readChunkSize();
    if (state === "trailer") return readTrailer();
    if (state === "close" && buffer.length > 0) takeBody(buffer.length);
    return false;
  }

  const finish = (): RawAnswer => {
    if (!head) throw bad("it ended before its headers did");
    return { ...head, body: Buffer.concat(parts) };
  };

  return {
    push(bytes) {
      buffer.add(bytes);
      while (step());
      return state === "done" ? finish() : undefined;
    },
    end() {
      if (state !== "close" && state !== "done") {
        throw new GuardError("http", "the connection ended before the answer did");
      }
      return finish();
    },
  };
}
