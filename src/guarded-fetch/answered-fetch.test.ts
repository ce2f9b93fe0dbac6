import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DNSServer, startDNSServer } from "../../test/helpers/dns-server.ts";
import { type AnsweredFetchOptions, createAnsweredFetch } from "./answered-fetch.ts";
import { createResolver } from "./resolve.ts";

let server: DNSServer;
beforeAll(async () => {
  server = await startDNSServer((name) => (name.startsWith("silent") ? "silence" : ["192.0.2.1"]));
});
afterAll(() => server.close());

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "answered",
    (error: { code?: unknown; name: string }) => (typeof error.code === "string" ? error.code : error.name),
  );

/** A fetch that notes what is left to the runtime, which looks nothing up here. */
function createWorld(options: Partial<AnsweredFetchOptions> = {}) {
  const state = { now_ms: 0 };
  const left: string[] = [];
  const fetch = createAnsweredFetch({
    resolve: createResolver({ servers: [server.address] }),
    elapsed_ms: () => state.now_ms,
    ...options,
    async fetch(input) {
      left.push(new URL(input instanceof Request ? input.url : input).hostname);
      return new Response("ok");
    },
  });
  return { state, left, fetch };
}

describe("names are asked after before the runtime looks them up:", () => {
  test("fifty whose servers are silent never reach it, and neither files nor others wait for them", async () => {
    const { left, fetch } = createWorld();
    const done: string[] = [];
    const names = Array.from({ length: 50 }, (_, n) => `https://silent-${n}.example/`);
    const waiting = names.map((url) => codeOf(fetch(url)).then((code) => done.push(code)));
    // What the work pool does, and what a sale does: both end while all of the fifty still wait.
    await Promise.all([readFile(import.meta.path), readFile(import.meta.path)]);
    expect(await codeOf(fetch("https://facilitator.example/verify"))).toBe("answered");
    expect(done).toEqual([]);
    await Promise.all(waiting);
    expect(done).toEqual(Array(50).fill("ENOTFOUND"));
    expect(left).toEqual(["facilitator.example"]);
  });

  test("who leaves is let go at once", async () => {
    const { fetch, left } = createWorld();
    const leaving = new AbortController();
    const asked = codeOf(fetch("https://silent-left.example/", { signal: leaving.signal }));
    leaving.abort();
    expect(await asked).toBe("AbortError");
    expect(left).toEqual([]);
  });

  test("an answer holds, is renewed beside the calls, and runs out; silence is kept for some seconds", async () => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      if (name.startsWith("silent")) throw Object.assign(new Error("late"), { code: "ETIMEOUT" });
      return [];
    };
    const { state, fetch, left } = createWorld({ resolve });
    const askAt = async (url: string, at_ms: number): Promise<number> => {
      state.now_ms = at_ms;
      await codeOf(fetch(url));
      await new Promise((done) => setImmediate(done));
      return asked.length;
    };
    const kept = "https://kept.example/";
    expect([await askAt(kept, 0), await askAt(kept, 4_999)]).toEqual([1, 1]);
    expect([await askAt(kept, 5_000), await askAt(kept, 9_999)]).toEqual([2, 2]);
    expect(await askAt(kept, 200_000)).toBe(3);
    expect(left).toHaveLength(5);
    const silent = "https://silent.example/";
    expect([await askAt(silent, 300_000), await askAt(silent, 304_999), await askAt(silent, 305_000)]).toEqual([
      4, 4, 5,
    ]);
    expect(left).toHaveLength(5);
  });

  test("a name of the hosts file is found without a server", async () => {
    const hosts_file = join(mkdtempSync(join(tmpdir(), "hosts-")), "hosts");
    writeFileSync(hosts_file, "# none\n192.0.2.9\tother silent-in-file # silent-in-comment\n");
    const { fetch, left } = createWorld({ hosts_file });
    expect(await codeOf(fetch("http://silent-in-file:4021/"))).toBe("answered");
    expect(await codeOf(fetch("http://silent-in-comment/"))).toBe("ENOTFOUND");
    expect(left).toEqual(["silent-in-file"]);
  });

  test("addresses and this machine's own name ask nobody", async () => {
    const { fetch, left } = createWorld();
    const before = server.asked.length;
    for (const host of ["127.0.0.1:8402", "[::1]:8402", "localhost:8402", "node.localhost"])
      await fetch(`http://${host}/`);
    expect(left).toHaveLength(4);
    expect(server.asked).toHaveLength(before);
  });
});
