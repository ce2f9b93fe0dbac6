import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp, type DemoNode, newFolder, startDemo } from "../helpers/demo-node.ts";

/** The conformance suite of the protocol's authors, against the running program. */
const PACKAGES = join(import.meta.dir, "..", "..", "node_modules", "@modelcontextprotocol");
const SUITE = join(PACKAGES, "conformance", "dist", "index.js");
const EXPECTED = join(import.meta.dir, "mcp-expected-failures.yaml");

/** Revisions before 2026 begin with a handshake: what a server without streams, resources and prompts answers there. */
const OF_2025 = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

let node: DemoNode;
beforeAll(async () => {
  node = await startDemo();
});
afterAll(cleanUp);

/** It writes its results into the folder it runs in. */
async function run(...args: string[]): Promise<{ readonly code: number; readonly out: string }> {
  const child = Bun.spawn([process.execPath, SUITE, ...args], { cwd: newFolder(), stdio: ["ignore", "pipe", "pipe"] });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out: `${out}\n${err}` };
}
const server = (...args: string[]) => run("server", "--url", `${node.url}/mcp`, ...args);

test("all that the revision of 2026-07-28 requires passes, but for what is left out with a reason", async () => {
  const { code, out } = await server("--requirements", "2026-07-28", "--expected-failures", EXPECTED);
  expect({ code, told: code === 0 ? "" : out.slice(-4_000) }).toEqual({ code: 0, told: "" });
  expect(out).toMatch(/✓ tools-list: [1-9]\d* passed, 0 failed/);
});

test("each failure that is expected says why", () => {
  const entries = readFileSync(EXPECTED, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("  - "));
  expect(entries.length).toBeGreaterThan(20);
  expect(entries.filter((line) => !/^ {2}- \S+ # \w.{10,}/.test(line))).toEqual([]);
});

test.each(OF_2025)("%s passes with the revision of 2025-11-25", async (scenario) => {
  const { code, out } = await server("--scenario", scenario, "--spec-version", "2025-11-25");
  expect([code, out.match(/Passed: (\d+)\/(\d+), (\d+) failed/)?.[3]]).toEqual([0, "0"]);
});
