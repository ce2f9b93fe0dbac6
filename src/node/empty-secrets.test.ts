import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../config/load.ts";
import { NodeError } from "../core/errors.ts";
import { readGasKey } from "../files/gas-key.ts";
import { findAddress, readLedgerEnvironment } from "../files/ledger-place.ts";
import { findFacilitatorFaults } from "./compose-facilitators.ts";
import { readBuyerKey } from "./self-payment.ts";

const EMPTY: readonly (readonly [string, string])[] = [
  ["nothing", ""],
  ["blanks", "  \t"],
  ["a line end", "\r\n"],
  ["a byte order mark", "\ufeff"],
  ["NUL bytes", "\0\0\0\0"],
];
const folder = mkdtempSync(join(tmpdir(), "empty-secrets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const place = (text: string): string => {
  const file = join(folder, "secret");
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};

const NAMES = ["CDP_API_KEY_ID", "CDP_API_KEY_SECRET", "TEST_EMPTY_BUYER_KEY"] as const;
const before = NAMES.map((name) => [name, process.env[name]] as const);
afterEach(() => {
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const read = (text: string) => {
  const loaded = loadConfig({ text, file: "test", env: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return loaded.config;
};
const URL = "postgres://intel@127.0.0.1:5432/intel";

describe.each(EMPTY)("where a secret is %s", (_, text) => {
  test("an embedded facilitator has no key", () => {
    expect(() => readGasKey({ kind: "embedded", gas_key_env: "KEY" }, { KEY: text })).toThrow("KEY is not set");
    expect(() => readGasKey({ kind: "embedded", gas_key_file: place(text) })).toThrow("gas_key_file is empty");
  });

  test("the database is not asked with an empty password, nor by an empty authority", () => {
    expect(() => findAddress({ url: URL, password: text })).toThrow("[ledger] password is empty");
    expect(() =>
      findAddress(readLedgerEnvironment({ INTEL_NODE_LEDGER_URL: URL, INTEL_NODE_LEDGER_PASSWORD: text })),
    ).toThrow("[ledger] password is empty");
    expect(() => findAddress({ url: URL, password_file: place(text) })).toThrow("holds no password");
    expect(() => findAddress({ url: URL, ca_file: place(text) })).toThrow("is empty");
  });
});

// A variable cannot hold NUL.
describe.each(EMPTY.slice(0, -1))("where a variable is %s", (_, text) => {
  test("a facilitator's calls cannot be signed", () => {
    const config = read('[[facilitators]]\nkind = "remote"\nurl = "https://f.example.com"\nauth = "cdp"\n');
    const told = ["facilitators[0]: auth: CDP_API_KEY_ID and CDP_API_KEY_SECRET are not set"];
    process.env.CDP_API_KEY_ID = text;
    process.env.CDP_API_KEY_SECRET = Buffer.alloc(64, 7).toString("base64");
    expect(findFacilitatorFaults(config)).toEqual(told);
    process.env.CDP_API_KEY_ID = "id";
    process.env.CDP_API_KEY_SECRET = text;
    expect(findFacilitatorFaults(config)).toEqual(told);
  });

  test("no wallet of the operator's pays", () => {
    process.env.TEST_EMPTY_BUYER_KEY = text;
    const config = read('[bootstrap_trust]\nmode = "self-payment"\nwallet_key_env = "TEST_EMPTY_BUYER_KEY"\n');
    expect(() => readBuyerKey(config, false)).toThrow(NodeError);
    expect(readBuyerKey(config, true)).toBeNull();
  });
});

test("a password keeps its blanks, and loses what an editor puts before it", () => {
  expect(findAddress({ url: URL, password_file: place("\ufeff pass word \r\nmore") })?.password).toBe(" pass word ");
  expect(() => findAddress({ url: URL, password_file: place("pass\0\0\0\0") })).toThrow("holds no password");
});
