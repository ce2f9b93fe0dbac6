import { afterAll, afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeSampleLedger, removeLedgerFolders } from "../../test/helpers/sample-ledger.ts";
import { loadIdentity } from "../files/identity-file.ts";
import { lockDataDirectory } from "../ledger/sqlite/open.ts";
import { VERSION } from "../releases/version.ts";
import { backupCommand } from "./backup.ts";
import { renderSummary } from "./check-summary.ts";
import { identityCommand, rotateCommand } from "./identity.ts";
import { domainCommand } from "./identity-domain.ts";
import { describeNext } from "./ledger-move.ts";
import { describeCurrent } from "./upgrade/upgrade.ts";

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "said-"));
  folders.push(folder);
  return folder;
};
let said: string[] = [];
const spies = (["log", "error"] as const).map((method) => spyOn(console, method));
beforeEach(() => {
  said = [];
  for (const spy of spies) spy.mockImplementation((text: string) => void said.push(text));
});
afterEach(() => {
  for (const spy of spies) spy.mockReset();
});
afterAll(() => {
  for (const spy of spies) spy.mockRestore();
  removeLedgerFolders();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const text = (): string => said.join("\n");
const PAY_TO = "0x90F79bf6EB2c4f870365E785982E1f101E93b906";

test("a backup describes the node's current key: missing, never changed, rotated, or with a next key", async () => {
  const { file } = await makeSampleLedger();
  const data = dirname(file);
  const config = join(data, "none.toml");
  const backUp = async () => {
    said = [];
    expect(await backupCommand({ data, config, to: join(newFolder(), "a.db"), json: false })).toBe(0);
    return text();
  };
  expect(await backUp()).toContain("node-key.pem is not there");
  const { node_id } = loadIdentity(data);
  expect(await backUp()).toContain(`${node_id}. It changes only when you rotate it.`);
  const options = { data, config, json: false };
  await identityCommand("prepare", options);
  expect(await backUp()).toContain("node-key.next.pem: the key prepared for the next rotation");
  expect(await rotateCommand({ ...options, compromised: false })).toBe(0);
  const rotated = await backUp();
  expect(rotated).toContain(`node-2, ${loadIdentity(data).node_id}, since 20`);
  expect(rotated).toContain("A copy from before then holds another key.");
  expect(rotated).not.toMatch(/never changes|only when you rotate|next\.pem/);
});

test("a rotation asks to stop the node only if one runs, and to sign only if there is a wallet", async () => {
  const data = newFolder();
  loadIdentity(data);
  const config = join(newFolder(), "node.toml");
  const write = (more: string) => writeFileSync(config, `[data]\ndir = "${data}"\n${more}`);
  write("");
  const options = { data: undefined, config, json: false };
  const unlock = lockDataDirectory(data);
  expect(await rotateCommand({ ...options, compromised: false })).toBe(1);
  unlock();
  expect(text()).toContain("Stop the node first");
  said = [];
  await identityCommand("prepare", options);
  expect(text()).toContain("No wallet is configured that would have to sign for it.");
  said = [];
  write(`[wallets.base]\npay_to = "${PAY_TO}"\n`);
  expect(await rotateCommand({ ...options, compromised: false })).toBe(0);
  expect(text()).toContain('Let the wallet on Base sign what "intel-node wallet proof" prints.');
});

test("a folder that cannot be locked for another reason does not count as a running node", async () => {
  const data = newFolder();
  loadIdentity(data);
  writeFileSync(join(data, "lock.db"), "no database at all ".repeat(100));
  expect(await rotateCommand({ data, config: "none.toml", json: false, compromised: false })).toBe(1);
  expect(text()).toContain("cannot be written by this user");
  expect(text()).not.toContain("Stop the node first");
});

test("what ends and what continues under a new domain depends on the configuration", async () => {
  const data = newFolder();
  const { node_id } = loadIdentity(data);
  const config = join(newFolder(), "node.toml");
  const ask = async (toml: string, to = "https://new.example.com") => {
    said = [];
    writeFileSync(config, `[data]\ndir = "${data}"\n${toml}`);
    return domainCommand(to, { config, json: false });
  };
  expect(await ask("")).toBe(2);
  expect(text()).toContain("nothing hangs on an address yet");
  const node = '[node]\npublic_url = "https://old.example.com"\n';
  expect([await ask(node, "https://old.example.com"), await ask(node, "new.example.com")]).toEqual([2, 2]);
  expect(await ask(node)).toBe(0);
  expect(text()).toContain("ends   the node's name did:web:old.example.com: it is did:web:new.example.com then");
  expect(text()).toContain("holds  wallet proofs: none names this address now");
  expect(text()).toContain(`holds  receipts and ${node_id}`);
  expect(text()).toContain("holds  MCP registry");
  const registry = "v=MCPv1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
  const signed = `[wallets.base]\npay_to = "${PAY_TO}"\norigin_proof = "0x12"\n[mcp]\nregistry_auth = "${registry}"\n`;
  expect(await ask(node + signed)).toBe(0);
  expect(text()).toContain("ends   origin_proof of 1");
  expect(text()).toContain("ends   MCP registry");
});

test("a release that is not installed is described correctly", () => {
  expect(describeCurrent(VERSION, undefined)).toBe(`${VERSION} is the newest`);
  expect(describeCurrent("0.0.1", undefined)).toBe(`${VERSION} is newer than 0.0.1, the newest there`);
  expect(describeCurrent(VERSION, VERSION)).toBe(`this is ${VERSION} already`);
});

test("the remaining steps after a move depend on the configuration", () => {
  const url = "postgres://intel@db.example.com/intel";
  expect(describeNext(undefined, url)).toBe(`set [ledger] url = "${url}", and start the node`);
  expect(describeNext(url, url)).toBe("the configuration names this place already, start the node");
  expect(describeNext(url, undefined)).toBe("leave out [ledger] url, and start the node");
  expect(describeNext(undefined, undefined)).toBe("the configuration names this place already, start the node");
});

test("check does not propose to add what the operator has switched off", () => {
  const base = { products: [], withheld_values: [], quotas: [], models: [], faults: [], notes: [], networks: [] };
  const report = {
    ...base,
    receives: [],
    facilitators: [],
    withheld: [{ path: "/sanctions", why: "switched off: Under review." }],
    unused_providers: [{ provider: "a", why: "needs [providers.a] api_key", turns_on: ["/b"], read_by: [], jobs: [] }],
  };
  const lines = renderSummary("node.toml", report as never);
  expect(lines.filter((line) => line.startsWith("  add"))).toEqual([expect.stringContaining("api_key")]);
});
