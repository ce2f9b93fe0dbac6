import { expect, test } from "bun:test";
import { loadConfig } from "../config/load.ts";
import { findChannelNotes } from "./check-local.ts";

const notesOf = (text: string): readonly string[] => {
  const wallet = '[wallets.base]\npay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"\n';
  const loaded = loadConfig({ text: `${wallet}${text}`, file: "test", env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return findChannelNotes(loaded.config);
};
const ON = "[payments.channels]\nenabled = true\n";

test("check notes channels whose chain cannot be read: nobody would see a payer withdraw", () => {
  expect(notesOf(ON)).toEqual([
    expect.stringMatching(/^\[payments\.channels\] is enabled and \[chains\.base\] rpc is empty: .*withdraw/),
  ]);
  expect(notesOf(`${ON}[payments]\ntestnet = true\n`)[0]).toContain("[chains.base_sepolia] rpc");
});

test("check notes nothing where the chain can be read, or no channels are offered", () => {
  expect(notesOf(`${ON}[chains.base]\nrpc = ["https://rpc.example.com"]\n`)).toEqual([]);
  expect(notesOf("")).toEqual([]);
});
