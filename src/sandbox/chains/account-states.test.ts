import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJournal } from "../journal.ts";
import { createAccountStates } from "./account-states.ts";

const folder = mkdtempSync(join(tmpdir(), "account-states-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${files++}.jsonl`);

const open = (file: string | null, network = "chain:1") =>
  createAccountStates({
    network,
    journal: createJournal(file),
    isAddress: (text) => text.startsWith("a"),
    keyOf: (address) => `account-of-${address}`,
  });

describe("accounts of a simulated chain", () => {
  test("are open until somebody changes their state", () => {
    const states = open(null);
    expect(states.stateOf("account-of-a1")).toBe("open");
    states.set("a1", "frozen");
    states.set("a2", "missing");
    expect(["a1", "a2", "a3"].map((one) => states.stateOf(`account-of-${one}`))).toEqual(["frozen", "missing", "open"]);
    states.set("a1", "open");
    expect(states.stateOf("account-of-a1")).toBe("open");
  });

  test("keep their state over a restart, each on its own chain", () => {
    const file = newFile();
    const states = open(file);
    states.set("a1", "missing");
    states.set("a2", "frozen");
    states.set("a1", "frozen");
    states.set("a2", "open");
    const again = open(file);
    expect([again.stateOf("account-of-a1"), again.stateOf("account-of-a2")]).toEqual(["frozen", "open"]);
    expect(open(file, "chain:2").stateOf("account-of-a1")).toBe("open");
  });

  test("skip entries that were damaged on the disk", () => {
    const file = newFile();
    open(file).set("a1", "missing");
    writeFileSync(file, readFileSync(file, "utf8").replace('"missing"', '"mislaid"'));
    expect(open(file).stateOf("account-of-a1")).toBe("open");
  });

  test("refuse an invalid address without a trace of it", () => {
    const file = newFile();
    expect(() => open(file).set("b1", "missing")).toThrow(RangeError);
    expect(readFileSync(file, "utf8")).toBe("");
  });
});
