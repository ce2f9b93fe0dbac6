import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, cleanUp, type DemoNode, newFolder, startDemo, waitForPast } from "../helpers/demo-node.ts";
import {
  freePort,
  localPlugin,
  newNodeFolder,
  startFacilitator,
  startRun,
  startUpstream,
  stopRuns,
} from "../helpers/run-node.ts";

interface Report {
  readonly ok: boolean;
  readonly score: number;
  readonly is_broken: boolean;
  readonly results: readonly {
    readonly id: string;
    readonly share: number | null;
    readonly findings: readonly Finding[];
  }[];
}
interface Finding {
  readonly severity: string;
  readonly about: string;
  readonly fix: string;
}

async function audit(...args: readonly string[]) {
  const child = Bun.spawn([BINARY, "audit", "self", ...args], { cwd: newFolder(), stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err, report: (): Report => JSON.parse(out) };
}

/** A proxy that an operator might put in front of a node, with its faults. */
function startProxy(target: string, change: (path: string, response: Response) => Response | undefined) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("accept-encoding", "identity");
      const { method } = request;
      const response = await fetch(`${target}${pathname}${search}`, { method, headers, redirect: "manual" });
      return change(pathname, response) ?? response;
    },
  });
  proxies.push(server);
  return `http://127.0.0.1:${server.port}`;
}
const proxies: { stop(force: boolean): unknown }[] = [];

let node: DemoNode;
beforeAll(async () => {
  node = await startDemo({ history: true });
  // What it sells of its past is part of what is judged.
  await waitForPast(node);
});
afterAll(async () => {
  for (const proxy of proxies) proxy.stop(true);
  await stopRuns();
  await cleanUp();
});

describe("audit self", () => {
  test("gives a node that does everything right the full score, and ends with 0", async () => {
    const { code, report, err } = await audit("--url", node.url, "--json");
    const { score, ok, results } = report();
    expect({ findings: results.flatMap(({ findings }) => findings), err }).toEqual({ findings: [], err: "" });
    expect({ code, score, ok }).toEqual({ code: 0, score: 100, ok: true });
    expect(results.filter(({ share }) => share === 1).length).toBeGreaterThan(20);
  });

  test("prints every rule, and each finding with its fix", async () => {
    const url = startProxy(node.url, (path) =>
      path === "/robots.txt" ? new Response(null, { status: 404 }) : undefined,
    );
    const { out } = await audit("--url", url);
    expect(out).toMatch(/^ok {7}prices \(\d+\): /m);
    expect(out).toMatch(/^warning {2}robots \(\d+\): .*\n +\/robots\.txt answers 404\n +-> Let the proxy/m);
    expect(out).toMatch(/score \d+ of 100.*: http/);
  });

  test("ends with 1 behind a proxy that drops the payment header", async () => {
    const url = startProxy(node.url, (_, response) => {
      const headers = new Headers(response.headers);
      headers.delete("payment-required");
      return new Response(response.body, { status: response.status, headers });
    });
    const { code, report } = await audit("--url", url, "--json");
    const { results, is_broken, ok } = report();
    expect({ code, is_broken, ok }).toEqual({ code: 1, is_broken: true, ok: false });
    const broken = results.filter(({ share }) => share === 0).map(({ id }) => id);
    expect(broken).toEqual(expect.arrayContaining(["asks-for-payment", "head-of-402", "bazaar"]));
  });

  test("ends with 1 behind a proxy that still serves yesterday's prices", async () => {
    const prices = (await (await node.get("/get-pricing")).text()).replace(/"price_usd":"[^"]+"/, '"price_usd":"77"');
    const url = startProxy(node.url, (path, { headers }) =>
      path === "/get-pricing" ? new Response(prices, { headers }) : undefined,
    );
    const { code, report } = await audit("--url", url, "--json");
    const found = report().results.find(({ id }) => id === "prices");
    expect({ code, share: found?.share }).toEqual({ code: 1, share: 0 });
    expect(found?.findings[0]?.about).toContain("/get-pricing says 77000000");
  });

  test("waits for a node that limits it", async () => {
    let refused = 0;
    const url = startProxy(node.url, (path) => {
      if (path !== "/openapi.json" || refused > 0) return undefined;
      refused += 1;
      return new Response("{}", { status: 429, headers: { "retry-after": "1" } });
    });
    const { code } = await audit("--url", url);
    expect({ code, refused }).toEqual({ code: 0, refused: 1 });
  });

  test("ends with 2 when nothing answers, or there is nothing to ask", async () => {
    expect(await audit("--url", `http://127.0.0.1:${await freePort()}`)).toMatchObject({ code: 2, out: "" });
    expect(await audit("--url", "ftp://node.example.com")).toMatchObject({ code: 2, out: "" });
    expect(await audit("--config", join(newFolder(), "none.toml"))).toMatchObject({ code: 2, out: "" });
    expect(await audit("--url", node.url, "--min-score", "101")).toMatchObject({ code: 2, out: "" });
  });
});

test("the node of a configuration is found where it listens, and told what an operator should still do", async () => {
  const [upstream, facilitator] = [startUpstream(), startFacilitator()];
  try {
    const where = newNodeFolder([`url = "${facilitator.url}"`], "", localPlugin(upstream.url));
    const text = (await Bun.file(where.config).text()).replace("port = 0", `port = ${await freePort()}`);
    writeFileSync(where.config, text);
    const run = await startRun(where);
    expect(run.url()).not.toBe("");
    const { report, code } = await audit("--config", where.config, "--json", "--min-score", "100");
    const { results, is_broken, score } = report();
    expect(is_broken ? results.filter(({ share }) => share === 0) : []).toEqual([]);
    const warned = results.filter(({ share }) => share === 0.5).map(({ id }) => id);
    expect(warned).toEqual(expect.arrayContaining(["public-address", "security-contact", "ownership", "first-sale"]));
    expect(score).toBeLessThan(100);
    expect(code).toBe(1);
    expect((await audit("--config", where.config)).code).toBe(score >= 90 ? 0 : 1);
  } finally {
    await Promise.all([upstream.stop(), facilitator.stop()]);
  }
});
