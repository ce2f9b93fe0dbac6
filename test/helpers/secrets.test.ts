import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSecrets } from "./secrets.ts";

const folder = mkdtempSync(join(tmpdir(), "secrets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a secret is found in a longer word, behind a prefix, and with spaces or signs in it; no other is", () => {
  const secrets = [
    "a1b2c3d4e5f6a7b8",
    "in_key-0123456789",
    "word after word after word",
    "base64+with/signs==",
    "absent-absent-absent",
  ];
  writeFileSync(join(folder, "secrets.txt"), `${secrets.join("\n")}\n${secrets[0]}\n`);
  writeFileSync(
    join(folder, "clean.log"),
    "a1b2c3d4e5f6 a7b8, in_key 0123456789, word after word, base64+with/signs\n".repeat(3),
  );
  writeFileSync(join(folder, "one.log"), `{"key":"0xa1b2c3d4e5f6a7b8ff"}\n`);
  writeFileSync(
    join(folder, "all.log"),
    `x=a1b2c3d4e5f6a7b8&y="in_key-0123456789"\nword after word after word base64+with/signs==`,
  );
  const { secrets: searched, hits } = findSecrets(folder);
  expect(searched).toBe(5);
  expect([...hits].sort()).toEqual(["all.log: 4", "one.log: 1"]);
});
