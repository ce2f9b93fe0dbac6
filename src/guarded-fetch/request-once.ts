import { promisify } from "node:util";
import zlib from "node:zlib";
import type { CheckedURL } from "./check-url.ts";
import { type Connection, connect } from "./connect.ts";
import { GuardError } from "./failure.ts";
import { createHTTPReader, type RawAnswer } from "./http-reader.ts";
import type { CheckedAddress, TLSFacts } from "./types.ts";

export interface OneRequest {
  readonly target: CheckedURL;
  /** Checked addresses of the host, tried in order until one takes the connection. */
  readonly addresses: readonly CheckedAddress[];
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly bytes_max: number;
  readonly ca: string | undefined;
  readonly signal: AbortSignal;
}

export interface OneAnswer extends RawAnswer {
  readonly tls: TLSFacts | null;
}

const HEADERS_BYTES_MAX = 32_768;
const ATTEMPTS_MAX = 2;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;
/** What the connection needs for itself; a caller cannot set it. */
const OWN_HEADERS = new Set(["host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer"]);

/** The bytes of a request, one connection each. @throws GuardError for a header that would end its line. */
function renderRequest({ target, method, headers, body }: OneRequest): Uint8Array {
  const { url } = target;
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`, "Connection: close"];
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) throw new GuardError("headers", "a header is malformed");
    if (!OWN_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  if (body !== undefined) lines.push(`Content-Length: ${body.byteLength}`);
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return body === undefined ? head : Buffer.concat([head, body]);
}

async function connectToFirst(request: OneRequest): Promise<Connection> {
  const { target, addresses, ca, signal } = request;
  let last: unknown;
  for (const to of addresses.slice(0, ATTEMPTS_MAX)) {
    try {
      return await connect({ target, to, ca, signal });
    } catch (error) {
      last = error;
      if (!(error instanceof GuardError) || error.rule !== "connect") throw error;
    }
  }
  throw last;
}

function readAnswer({ socket }: Connection, request: OneRequest): Promise<RawAnswer> {
  const { method, bytes_max, signal } = request;
  const reader = createHTTPReader({ method, headers_bytes_max: HEADERS_BYTES_MAX, bytes_max });
  return new Promise((resolve, reject) => {
    const stop = () => finish(() => reject(new GuardError("time", "it took too long")));
    function finish(settle: () => void): void {
      signal.removeEventListener("abort", stop);
      socket.destroy();
      settle();
    }
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    const attempt = (read: () => RawAnswer | undefined) => {
      try {
        const answer = read();
        if (answer) finish(() => resolve(answer));
      } catch (error) {
        finish(() => reject(error));
      }
    };
    socket.on("data", (bytes: Buffer) => attempt(() => reader.push(bytes)));
    socket.once("end", () => attempt(() => reader.end()));
    socket.once("close", () => attempt(() => reader.end()));
    socket.once("error", () => finish(() => reject(new GuardError("http", "the connection broke"))));
  });
}

const UNPACK = {
  gzip: promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gunzip),
  deflate: promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflate),
  br: promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress),
};

const isPacking = (text: string): text is keyof typeof UNPACK => Object.hasOwn(UNPACK, text);

/** We ask for nothing packed, but some pack whatever is asked; what it unpacks to has the same cap. */
async function unpack(answer: RawAnswer, bytes_max: number): Promise<Uint8Array> {
  const coding = (answer.headers.get("content-encoding") ?? "").trim().toLowerCase();
  if (coding === "" || coding === "identity" || answer.body.byteLength === 0) return answer.body;
  const known = coding === "x-gzip" ? "gzip" : coding;
  if (!isPacking(known)) throw new GuardError("http", "its body is packed in an unknown way");
  try {
    return await UNPACK[known](answer.body, { maxOutputLength: bytes_max });
  } catch (error) {
    const too_long =
      error instanceof RangeError || (error instanceof Error && /larger|too large|limit/i.test(error.message));
    throw too_long
      ? new GuardError("body", `body over ${bytes_max} bytes once unpacked`, { cause: error })
      : new GuardError("http", "its body cannot be unpacked", { cause: error });
  }
}

/**
 * One request over its own connection, which ends with it: nothing of one host's connection is left to another.
 * @throws GuardError
 */
export async function requestOnce(request: OneRequest): Promise<OneAnswer> {
  const bytes = renderRequest(request);
  const connection = await connectToFirst(request);
  const answering = readAnswer(connection, request);
  connection.socket.write(bytes);
  const answer = await answering;
  return { ...answer, body: await unpack(answer, request.bytes_max), tls: connection.tls };
}
