import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../config/load.ts";
import { findChannelNotes, findLocal } from "./check-local.ts";

const notesOf = (text: string): readonly string[] => {
  const wallet = '[wallets.base]\npay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"\n';
  const loaded = loadConfig({ text: `${wallet}${text}`, file: "test", env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return findChannelNotes(loaded.config);
};
const ON = "[payments.channels]\nenabled = true\n";

test("check warns of channels whose chain cannot be read: a payer's withdrawal would go unseen", () => {
  expect(notesOf(ON)).toEqual([
    expect.stringMatching(/^\[payments\.channels\] is enabled and \[chains\.base\] rpc is empty: .*withdraw/),
  ]);
  expect(notesOf(`${ON}[payments]\ntestnet = true\n`)[0]).toContain("[chains.base_sepolia] rpc");
});

test("check does not warn if the chain can be read, or no channels are offered", () => {
  expect(notesOf(`${ON}[chains.base]\nrpc = ["https://rpc.example.com"]\n`)).toEqual([]);
  expect(notesOf("")).toEqual([]);
});

const folder = mkdtempSync(join(tmpdir(), "check-local-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const in_folder = loadConfig({ text: `[data]\ndir = ${JSON.stringify(folder)}\n`, file: "test", env: {} });
const faults = (): readonly string[] => {
  if (!in_folder.ok) throw new Error(JSON.stringify(in_folder.faults));
  return findLocal(in_folder.config, Number.MAX_SAFE_INTEGER).faults;
};

test("check reports a damaged secret file before the start, and leaves it unchanged", () => {
  const token = join(folder, "operator.token");
  const key = join(folder, "node-key.pem");
  expect(faults()).toEqual([]);
  // The start writes this file again, so nothing is lost with it.
  writeFileSync(token, "\n");
  expect(faults()).toEqual([]);
  writeFileSync(token, "abc");
  expect(faults()).toEqual([expect.stringContaining(`${token} holds no token`)]);
  writeFileSync(key, "");
  expect(faults()).toEqual([expect.stringContaining(`${key} does not hold a node's key`)]);
  expect([readFileSync(token, "utf8"), readFileSync(key, "utf8")]).toEqual(["abc", ""]);
});
