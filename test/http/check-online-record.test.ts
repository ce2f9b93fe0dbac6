import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSettableClock } from "../../src/core/clock.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { simulators } from "../../src/sandbox/simulators.gen.ts";
import { readRecordings } from "../../src/tools/recorded-bytes.ts";
import { renderProviderTables } from "../helpers/provider-tables.ts";
import { findFormFaults, findShapeFaults } from "../helpers/recordings.ts";

/** `check --online --record` against the sandbox's upstreams: what they answer becomes files like the project's own. */

const root = mkdtempSync(join(tmpdir(), "check-record-"));
const folder = join(root, "recording");
const KEY = "key-nobody-may-read";
/** One with a key, one whose answers have another shape, one that refuses. */
const ASKED = ["eia", "alternative_me", "kraken"];
let sandbox: Sandbox;

function writeConfig(): string {
  const file = join(root, "node.toml");
  const tables = renderProviderTables(sandbox.upstreamUrl, { eia: `api_key = "${KEY}"\n` });
  // Nobody else is asked: every provider takes its time.
  const off = (id: string) => (ASKED.includes(id) ? "" : "enabled = false\n");
  writeFileSync(
    file,
    '[node]\ncontact_email = "ops@example.com"\n[data]\ndir = "data"\n' +
      tables.replaceAll(/\[providers\.(\w+)\]\n/g, (head, id: string) => `${head}${off(id)}`),
  );
  return file;
}

async function check(config: string, to: string) {
  const command = [process.execPath, "src/node.ts", "check", "--online", "--json", "--record", to, "--config", config];
  const child = Bun.spawn(command, { cwd: join(import.meta.dir, "../.."), stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "record", clock: createSettableClock(), simulators });
  for (const [provider, fault] of [
    ["alternative_me", "wrong_shape"],
    ["kraken", "http429"],
  ]) {
    const init = { method: "POST", body: JSON.stringify({ provider, fault }) };
    await sandbox.handleControl(new Request("http://127.0.0.1/__sandbox/upstreams", init));
  }
});

afterAll(async () => {
  await sandbox.stop();
  rmSync(root, { recursive: true, force: true });
});

test("what providers answered is written like the project's own bytes, and read by the same code", async () => {
  const config = writeConfig();
  const { out, err } = await check(config, folder);
  expect(err).toBe("");
  expect(out).toContain('"area": "recording"');
  const recordings = readRecordings(folder);
  expect(recordings.map(({ provider }) => provider)).toEqual([...ASKED].sort());
  expect(recordings.flatMap(findFormFaults)).toEqual([]);
  const refused = recordings.find(({ provider }) => provider === "kraken");
  expect(refused?.endpoints.map((one) => "status" in one && one.status)).toContain(429);

  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  expect(texts.length).toBeGreaterThan(2 * ASKED.length);
  expect(texts.filter((text) => text.includes(KEY) || text.includes("ops@example.com"))).toEqual([]);

  // The one whose answers have another shape is found by the readers, and nobody else.
  const faults = await findShapeFaults(recordings);
  expect(faults.length).toBeGreaterThan(0);
  expect(faults.filter((fault) => !fault.startsWith("alternative_me: "))).toEqual([]);

  writeFileSync(join(root, "taken"), "");
  expect((await check(config, root)).code).toBe(2);
  expect(readdirSync(root)).toContain("taken");
});
