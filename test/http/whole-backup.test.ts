import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgram } from "../../src/commands/program.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { type FileNode, numberPlugin, ownPlugins, startFileNode } from "../helpers/file-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

const SECRET = `whsec_${Buffer.from("secret of the tests, 32 bytes...").toString("base64")}`;
const TOML = `[data]\ndir = "./data"
[wallets.base]\npay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
[[alerts]]\nkind = "webhook"\nurl = "http://127.0.0.1:1/"\nsecret = "${SECRET}"
${ownPlugins()}`;

const folder = mkdtempSync(join(tmpdir(), "whole-"));
const passphrase = join(folder, "passphrase");
writeFileSync(passphrase, "six words are enough for this\n", { mode: 0o600 });
let at: FileNode;
let files = 0;
function newPath(name: string): string {
  files += 1;
  return join(folder, `${name}-${files}`);
}

beforeAll(async () => {
  at = await startFileNode({ toml: TOML, plugins: { one: numberPlugin("one", 1) } });
});
afterAll(async () => {
  await at.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(...words: readonly string[]): Promise<{ readonly text: string; readonly code: number }> {
  const printed: string[] = [];
  let code = -1;
  const spies = (["log", "error"] as const).map((method) =>
    spyOn(console, method).mockImplementation((text: unknown) => void printed.push(String(text))),
  );
  try {
    const program = createProgram((done) => {
      code = done;
    });
    await program.parseAsync(words, { from: "user" });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { text: printed.join("\n"), code };
}
const backUp = (file: string, ...more: readonly string[]) =>
  run("backup", "--whole", file, "--config", at.file, "--passphrase-file", passphrase, ...more);
const restore = (file: string, to: string, words = passphrase) =>
  run("restore", file, "--to", to, "--passphrase-file", words);

async function buy(url: string): Promise<string> {
  const signature = await createPaymentPayload(await fetch(`${url}/one`), newPayer());
  const answer = await fetch(`${url}/one`, { headers: { "PAYMENT-SIGNATURE": signature } });
  expect(answer.status).toBe(200);
  return answer.headers.get("x-receipt-id") ?? "";
}

test("a node restored into an empty folder is the same node, knows its sales and sells", async () => {
  const receipt = await buy(at.url);
  const issued = await at.ask("/admin/keys", { command: "issue", credit_usd: "1" });
  const { api_key } = (await issued.json()) as { readonly api_key: string };
  const file = newPath("node.backup");
  const made = await backUp(file);
  expect([made.code, made.text]).toEqual([
    0,
    expect.stringContaining("sealed: configuration, plugins, keys and token"),
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // Nothing but the sealed file is left, and nothing of the node is legible in it.
  expect(readdirSync(folder).filter((name) => name.startsWith("node.backup"))).toHaveLength(1);
  const bytes = readFileSync(file);
  const key = readFileSync(join(at.data, "node-key.pem"), "utf8").split("\n")[1] ?? "";
  for (const text of [
    SECRET,
    at.node.operator_token,
    key,
    "SQLite format",
    receipt,
    "numberPlugin",
    "[wallets.base]",
  ]) {
    expect(bytes.includes(text)).toBe(false);
  }

  const to = newPath("restored");
  const restored = await restore(file, to);
  expect([restored.code, restored.text]).toEqual([0, expect.stringContaining(`restored into ${to}`)]);
  expect(readFileSync(join(to, "node.toml"), "utf8")).toBe(TOML);
  for (const name of ["data/node-key.pem", "data/operator.token", "data/ledger.db", "plugins/one.ts", "node.toml"]) {
    expect([name, statSync(join(to, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  const again = await startFileNode({ folder: to });
  try {
    const keyOf = ({ data }: FileNode) => readFileSync(join(data, "node-key.pem"), "utf8");
    expect([keyOf(again), again.node.operator_token]).toEqual([keyOf(at), at.node.operator_token]);
    expect((await fetch(`${again.url}/receipts/${receipt}`)).status).toBe(200);
    expect((await fetch(`${again.url}/one`, { headers: { "x-api-key": api_key } })).status).toBe(200);
    await buy(again.url);
    expect((await again.node.audit()).findings).toEqual([]);
  } finally {
    await again.stop();
  }
});

test("without secrets neither key, token nor password is in it, and both commands say so", async () => {
  const file = newPath("node.backup");
  const made = await backUp(file, "--without-secrets");
  expect(made.text).toContain("No key, token or password is in it");
  const to = newPath("restored");
  const restored = await restore(file, to);
  expect([restored.code, restored.text]).toEqual([0, expect.stringContaining("Secrets are not in it")]);
  expect(existsSync(join(to, "data/node-key.pem")) || existsSync(join(to, "data/operator.token"))).toBe(false);
  const toml = readFileSync(join(to, "node.toml"), "utf8");
  expect([toml.includes(SECRET), toml.includes('secret = "***"')]).toEqual([false, true]);
});

test("what cannot be restored is refused in words, and leaves nothing behind", async () => {
  const file = newPath("node.backup");
  expect((await backUp(file)).code).toBe(0);
  const whole = readFileSync(file);
  const other = join(folder, "other-passphrase");
  writeFileSync(other, "seven words are not the same passphrase");
  const cut = newPath("cut");
  writeFileSync(cut, whole);
  truncateSync(cut, whole.length - 70_000);
  const flipped = newPath("flipped");
  const changed = Buffer.from(whole);
  changed[whole.length - 100] = (changed[whole.length - 100] ?? 0) ^ 1;
  writeFileSync(flipped, changed);
  const to = newPath("restored");
  for (const [from, words, said] of [
    [file, other, "the passphrase is not the one"],
    [cut, passphrase, "is damaged"],
    [flipped, passphrase, "is damaged"],
    [newPath("none"), passphrase, "no such file"],
  ] as const) {
    const { text, code } = await restore(from, to, words);
    expect([from, text.includes("nothing was restored") && text.includes(said), code]).toEqual([from, true, 1]);
    expect(existsSync(to)).toBe(false);
  }
  // A folder with something in it stays as it is.
  mkdirSync(to);
  writeFileSync(join(to, "mine"), "x");
  expect((await restore(file, to)).text).toContain("is not empty");
  expect(readdirSync(to)).toEqual(["mine"]);
  const ledger = newPath("ledger.db");
  expect((await run("backup", "--to", ledger, "--data", at.data)).code).toBe(0);
  expect((await restore(ledger, newPath("restored"))).text).toContain("is a ledger: say --data DIR");
  expect((await run("restore", file, "--data", newPath("restored"))).text).toContain("is a whole node: say --to DIR");
});

test("a backup never overwrites, wants a passphrase that cannot be guessed, and names what it leaves out", async () => {
  const file = newPath("node.backup");
  symlinkSync("/etc/hostname", join(at.data, "../plugins/link.txt"));
  expect((await backUp(file)).text).toContain("left out, no plain file:");
  const before = readFileSync(file);
  expect(await backUp(file)).toEqual({
    code: 1,
    text: `no backup was made: ${file} exists: a backup never overwrites`,
  });
  expect(readFileSync(file).equals(before)).toBe(true);
  const short = join(folder, "short");
  writeFileSync(short, "too short\n");
  const refused = await run("backup", "--whole", newPath("x"), "--config", at.file, "--passphrase-file", short);
  expect([refused.code, refused.text]).toEqual([1, expect.stringContaining("fewer than 12 characters")]);
  const without = await run("backup", "--whole", newPath("x"), "--config", at.file);
  expect([without.code, without.text]).toEqual([1, expect.stringContaining("INTEL_NODE_BACKUP_PASSPHRASE")]);
  expect((await run("backup", "--config", at.file)).code).toBe(2);
});
