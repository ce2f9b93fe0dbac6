import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zipSync } from "fflate";
import {
  createRun,
  createTestProvider,
  createTestUpstream,
  type FakeServer,
  getFailure,
  startFakeServer,
} from "../../test/helpers/fake-upstream.ts";
import type { DownloadRequest, Unpacking } from "../catalog/request.ts";

const servers: FakeServer[] = [];
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "download-"));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
});

const CONTENT = Buffer.from("day;rate\n".repeat(200_000));
const LIMITS = { rate_per_s: 1_000, burst: 1_000, timeout_ms: 20_000, attempts: 1, body_bytes_max: 10_000 };

function download(respond: (request: Request) => Response, change: Partial<DownloadRequest> = {}) {
  const server = startFakeServer(respond);
  servers.push(server);
  const provider = createTestProvider({ base_urls: [server.url], limits: LIMITS });
  const to = join(folder, "list.csv");
  const run = createRun(createTestUpstream());
  return run.download(provider, { path: "/list", to, body_bytes_max: 5_000_000, ...change });
}
const files = () => readdirSync(folder);
const old = () => writeFileSync(join(folder, "list.csv"), "old");

describe("a download", () => {
  test("is a whole file, with digests of the sent bytes", async () => {
    const got = await download(() => new Response(CONTENT, { headers: { etag: '"7"' } }));
    expect(got).toEqual({
      unchanged: false,
      fetched_at_ms: Date.parse("2026-03-01T12:00:00Z"),
      bytes: CONTENT.length,
      sha256: createHash("sha256").update(CONTENT).digest("hex"),
      md5: createHash("md5").update(CONTENT).digest("hex"),
      etag: '"7"',
    });
    expect(files()).toEqual(["list.csv"]);
    expect(readFileSync(join(folder, "list.csv")).equals(CONTENT)).toBe(true);
  });

  test.each([
    ["gzip", gzipSync(CONTENT), { kind: "gzip", bytes_max: 5_000_000 }],
    ["a deflated member of a ZIP", zipSync({ a: CONTENT }), { kind: "zip", bytes_max: 5_000_000 }],
    ["a stored one", zipSync({ a: [CONTENT, { level: 0 }], b: CONTENT }), { kind: "zip", member: "a", bytes_max: 5e6 }],
    ["an empty one", zipSync({ a: new Uint8Array(0) }), { kind: "zip", bytes_max: 10 }],
  ] as [string, Uint8Array, Unpacking][])("unpacks %s on the way to its file", async (name, body, step) => {
    const got = await download(() => new Response(body), { unpack: [step] });
    const expected = name === "an empty one" ? 0 : CONTENT.length;
    expect(got).toMatchObject({ bytes: expected, sha256: createHash("sha256").update(body).digest("hex") });
    expect(readFileSync(join(folder, "list.csv")).length).toBe(expected);
    expect(files()).toEqual(["list.csv"]);
  });

  const bad: [string, Uint8Array, readonly Unpacking[], string][] = [
    ["is over the cap", Buffer.alloc(5_000_001), [], "body over 5000000 bytes"],
    ["is a ZIP that was cut", zipSync({ a: CONTENT }).slice(0, -40), [{ kind: "zip", bytes_max: 5e6 }], "no whole ZIP"],
    [
      "is a ZIP bomb",
      zipSync({ a: new Uint8Array(20_000_000) }),
      [{ kind: "zip", bytes_max: 1e6 }],
      "more than 1000000",
    ],
    ["is a gzip bomb", gzipSync(new Uint8Array(20_000_000)), [{ kind: "gzip", bytes_max: 1e6 }], "more than 1000000"],
    ["is cut gzip", gzipSync(CONTENT).slice(0, -20), [{ kind: "gzip", bytes_max: 5e6 }], "it is truncated"],
    ["is no archive", Buffer.from("<html>"), [{ kind: "zip", bytes_max: 1e6 }], "no whole ZIP"],
  ];
  test.each(bad)("that %s leaves the old file and nothing beside it", async (_name, body, unpack, why) => {
    old();
    const failure = await getFailure(download(() => new Response(body), { unpack }));
    expect(failure.kind).toBe("upstream_bad_response");
    expect(failure.message).toContain(why);
    expect(files()).toEqual(["list.csv"]);
    expect(readFileSync(join(folder, "list.csv"), "utf8")).toBe("old");
  });

  test("of an unchanged version writes nothing", async () => {
    old();
    const respond = (request: Request) =>
      new Response(null, { status: request.headers.get("if-modified-since") === "then" ? 304 : 500 });
    expect(await download(respond, { known: { last_modified: "then" } })).toMatchObject({ unchanged: true });
    expect(readFileSync(join(folder, "list.csv"), "utf8")).toBe("old");
  });

  test("that is refused makes no file", async () => {
    expect((await getFailure(download(() => new Response("no", { status: 404 })))).kind).toBe("upstream_not_found");
    expect(files()).toEqual([]);
  });
});
