import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { cleanUp, type DemoNode, newFolder, startDemo } from "../helpers/demo-node.ts";

/** The conformance suite of the protocol's authors, against the running program. */
const SUITE = join(
  import.meta.dir,
  "..",
  "..",
  "node_modules",
  "@modelcontextprotocol",
  "conformance",
  "dist",
  "index.js",
);

const APPLIES: Readonly<Record<string, number>> = {
  "server-initialize": 1,
  ping: 1,
  "tools-list": 1,
  "dns-rebinding-protection": 2,
};

const FIXTURE = "asks for a fixture tool of its own, with content this node never sells";
const NO_STREAM = "needs a stream; every answer here is one JSON object";
const NO_ASKING = "needs a server that asks its client back, which takes a stream or a session";
const NO_PROMPTS = "prompts are not offered, and not declared";
const NO_RESOURCES = "resources are not offered, and not declared";
const APPLIES_NOT: Readonly<Record<string, string>> = {
  "logging-set-level": "logging is not offered, and not declared",
  "completion-complete": "completions are not offered, and not declared",
  "tools-call-simple-text": FIXTURE,
  "tools-call-image": FIXTURE,
  "tools-call-audio": FIXTURE,
  "tools-call-embedded-resource": FIXTURE,
  "tools-call-mixed-content": FIXTURE,
  "tools-call-error": FIXTURE,
  "json-schema-2020-12": FIXTURE,
  "tools-call-with-logging": NO_STREAM,
  "tools-call-with-progress": NO_STREAM,
  "server-sse-polling": NO_STREAM,
  "server-sse-multiple-streams": NO_STREAM,
  "tools-call-sampling": NO_ASKING,
  "tools-call-elicitation": NO_ASKING,
  "elicitation-sep1034-defaults": NO_ASKING,
  "elicitation-sep1330-enums": NO_ASKING,
  "resources-list": NO_RESOURCES,
  "resources-read-text": NO_RESOURCES,
  "resources-read-binary": NO_RESOURCES,
  "resources-templates-read": NO_RESOURCES,
  "resources-subscribe": NO_RESOURCES,
  "resources-unsubscribe": NO_RESOURCES,
  "prompts-list": NO_PROMPTS,
  "prompts-get-simple": NO_PROMPTS,
  "prompts-get-with-args": NO_PROMPTS,
  "prompts-get-embedded-resource": NO_PROMPTS,
  "prompts-get-with-image": NO_PROMPTS,
};

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

test("every scenario for servers either applies or is left out with a reason", async () => {
  const { out } = await run("list", "--server");
  const servers = out.split("Client scenarios")[0] ?? "";
  const known = [...servers.matchAll(/^ +- (\S+)/gm)].map(([, name]) => String(name));
  expect(known.sort()).toEqual([...Object.keys(APPLIES), ...Object.keys(APPLIES_NOT)].sort());
});

test.each(Object.entries(APPLIES))("%s passes", async (scenario, checks) => {
  const { code, out } = await run("server", "--url", `${node.url}/mcp`, "--scenario", scenario);
  expect({ code, passed: out.match(/Passed: (\d+)\/(\d+), (\d+) failed/)?.slice(1) }).toEqual({
    code: 0,
    passed: [String(checks), String(checks), "0"],
  });
});
