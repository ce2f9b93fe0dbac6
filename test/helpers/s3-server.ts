/** What the server does with calls from now on. */
export type S3Fault = "none" | "error" | "hang";

/** As much of S3 as a copy needs, on loopback and in memory: objects by name, lists of two at a time. */
export interface S3Server {
  readonly endpoint: string;
  readonly objects: Map<string, Uint8Array>;
  /** Calls without a signature of the right key, which are refused. */
  readonly unsigned: string[];
  fault: S3Fault;
  stop(): Promise<void>;
}

const LISTED_AT_ONCE = 2;
const xml = (body: string, status = 200): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
    status,
    headers: { "content-type": "application/xml" },
  });
const refuse = (status: number, code: string): Response =>
  xml(`<Error><Code>${code}</Code><Message>as the test wants it</Message></Error>`, status);

export function startS3Server({ bucket = "bucket", access_key_id = "AKID" } = {}): S3Server {
  const objects = new Map<string, Uint8Array>();
  const unsigned: string[] = [];
  const state: { fault: S3Fault } = { fault: "none" };
  const list = (url: URL): Response => {
    const prefix = url.searchParams.get("prefix") ?? "";
    const after = url.searchParams.get("continuation-token") ?? "";
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const some = keys.slice(0, LISTED_AT_ONCE);
    const more = keys.length > some.length;
    const rows = some.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.length}</Size></Contents>`);
    const next = more ? `<NextContinuationToken>${some.at(-1)}</NextContinuationToken>` : "";
    return xml(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${rows.join("")}</ListBucketResult>`);
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const url = new URL(request.url);
      const signature = `AWS4-HMAC-SHA256 Credential=${access_key_id}/`;
      if (request.headers.get("authorization")?.startsWith(signature) !== true) {
        unsigned.push(`${request.method} ${url.pathname}`);
        return refuse(403, "AccessDenied");
      }
      if (state.fault === "hang") return new Promise<Response>(() => undefined);
      if (state.fault === "error") return refuse(500, "InternalError");
      const [, found_bucket, ...rest] = decodeURIComponent(url.pathname).split("/");
      const key = rest.join("/");
      if (found_bucket !== bucket) return refuse(404, "NoSuchBucket");
      if (url.searchParams.get("list-type") === "2") return list(url);
      if (request.method === "PUT") {
        objects.set(key, new Uint8Array(await request.arrayBuffer()));
        return new Response("");
      }
      if (request.method === "DELETE") {
        objects.delete(key);
        return new Response(null, { status: 204 });
      }
      const object = objects.get(key);
      return object === undefined ? refuse(404, "NoSuchKey") : new Response(Buffer.from(object));
    },
  });
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    objects,
    unsigned,
    get fault() {
      return state.fault;
    },
    set fault(fault) {
      state.fault = fault;
    },
    stop: () => server.stop(true),
  };
}
