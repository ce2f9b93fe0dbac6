import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIdentity } from "../core/identity.ts";
import { isTokenForm } from "../core/secrets.ts";
import {
  findIdentity,
  findOperatorToken,
  loadIdentity,
  loadInstance,
  loadOperatorToken,
  requireOperatorToken,
} from "./identity-file.ts";
import { readSecretFile, SecretFileError, writeSecretFile } from "./secret-file.ts";

const root = mkdtempSync(join(tmpdir(), "identity-file-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = "";
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(root, String(count));
  mkdirSync(folder);
});

/** What a full disk, a copy that broke off or an editor leaves of a file. */
const EMPTIED: readonly (readonly [string, string])[] = [
  ["0 bytes", ""],
  ["blanks", " \t  "],
  ["a line end", "\r\n"],
  ["a byte order mark", "\ufeff"],
  ["NUL bytes", "\0".repeat(44)],
];
const place = (name: string, text: string | Uint8Array): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

describe("the operator's token", () => {
  test.each(EMPTIED)("a file with %s gets a new one, which then stays", (_, text) => {
    const file = place("operator.token", text);
    expect(findOperatorToken(folder)).toBeNull();
    expect(() => requireOperatorToken(folder)).toThrow(`${file} holds no token: start the node`);
    const token = loadOperatorToken(folder);
    expect(isTokenForm(token)).toBe(true);
    expect(loadOperatorToken(folder)).toBe(token);
    expect(requireOperatorToken(folder)).toBe(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  const whole = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ";
  test.each([
    ["one character", "a"],
    ["the first 31", whole.slice(0, 31)],
    ["its end lost in NUL bytes", `${whole.slice(0, 20)}${"\0".repeat(5)}${whole.slice(25)}`],
    ["two of them", `${whole}\n${whole}\n`],
    ["a blank within", `${whole.slice(0, 20)} ${whole.slice(20)}`],
    ["letters of another alphabet", "ä".repeat(43)],
    ["more than fits into a header", "a".repeat(201)],
  ])("a file with %s of a token stops the start, and stays as it is", (_, text) => {
    const file = place("operator.token", text);
    for (const load of [findOperatorToken, requireOperatorToken, loadOperatorToken]) {
      expect(() => load(folder)).toThrow(SecretFileError);
      expect(() => load(folder)).toThrow(`${file} holds no token`);
    }
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("what an editor puts around it does not belong to it", () => {
    place("operator.token", `\ufeff${whole}\r\n`);
    expect(loadOperatorToken(folder)).toBe(whole);
  });

  test("asking a running node makes no token", () => {
    expect(() => requireOperatorToken(folder)).toThrow("start the node");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("the node's key", () => {
  test.each(EMPTIED)("a file with %s is a lost key: no other takes its place", (_, text) => {
    const file = place("node-key.pem", text);
    for (const load of [loadIdentity, findIdentity]) expect(() => load(folder)).toThrow(SecretFileError);
    expect(() => loadIdentity(folder)).toThrow(`${file} does not hold a node's key: put your copy of it back`);
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("neither is a part of one a key", () => {
    const { key_file } = createIdentity();
    for (let length = 1; length < key_file.trimEnd().length; length += 7) {
      place("node-key.pem", key_file.slice(0, length));
      expect(() => loadIdentity(folder)).toThrow(SecretFileError);
    }
  });
});

describe("the name of a data folder", () => {
  test.each(EMPTIED)("a file with %s gets a new one: two such folders must not be one", (_, text) => {
    place("instance", text);
    const name = loadInstance(folder);
    expect(name).toMatch(/^node_[0-9A-Za-z]{16}$/);
    expect(loadInstance(folder)).toBe(name);
  });

  test("a damaged one stops the start", () => {
    place("instance", "node_abc\0\0\0\0def");
    expect(() => loadInstance(folder)).toThrow("is damaged: delete it");
  });
});

describe("a file of a secret", () => {
  test("is its owner's alone, also where another stood before, and leaves nothing beside it", () => {
    const file = place("secret", "old");
    writeSecretFile(file, "new");
    expect(readSecretFile(file)).toBe("new");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["secret"]);
  });

  test("stays what it was when it cannot be replaced", () => {
    const file = join(folder, "taken");
    mkdirSync(join(file, "inner"), { recursive: true });
    expect(() => writeSecretFile(file, "new")).toThrow();
    expect(existsSync(join(file, "inner"))).toBe(true);
    expect(readdirSync(folder)).toEqual(["taken"]);
  });

  test("holds bytes as they are", () => {
    const file = join(folder, "bytes");
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 256);
    writeSecretFile(file, bytes);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});
