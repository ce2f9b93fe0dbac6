import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPrivateKey, sign } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { base32nopad, base58 } from "@scure/base";
import { privateKeyToAccount } from "viem/accounts";
import { createBackupProcess } from "../../src/files/backup-process.ts";
import { BINARY, cleanUp, type DemoNode, newFolder, payingFetch, startDemo } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import { newNodeFolder, startRun, stopRuns } from "../helpers/run-node.ts";

afterAll(async () => {
  await stopRuns();
  await cleanUp();
});

const run = (...args: readonly string[]) => {
  const child = Bun.spawnSync([BINARY, ...args], { cwd: newFolder(), env: { PATH: process.env.PATH ?? "" } });
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() };
};

let node: DemoNode;
let api_key = "";
beforeAll(async () => {
  node = await startDemo();
  for (let n = 0; n < 3; n++) await (await payingFetch()(`${node.url}/pyth-price`)).text();
  const bought = await payingFetch()(`${node.url}/buy-credits`);
  ({ api_key } = (await bought.json()) as { api_key: string });
});

describe("while the node runs", () => {
  test("a backup into a folder is one file named after the time, with its checksum and the receipts' digest", () => {
    const folder = newFolder();
    const { code, out } = run("backup", "--to", folder, "--data", node.data);
    expect(code).toBe(0);
    const [name = ""] = readdirSync(folder);
    expect(readdirSync(folder)).toHaveLength(1);
    expect(name).toMatch(/^ledger-\d{8}T\d{6}Z\.db$/);
    expect(out).toContain(join(folder, name));
    const sha256 = new Bun.CryptoHasher("sha256").update(readFileSync(join(folder, name))).digest("hex");
    expect(out).toContain(sha256);
    expect(out).toContain("4 receipts, digest ");
    expect(out).toContain("node-key.pem");
  });

  test("the digest is what anybody computes from /receipts", async () => {
    interface Page {
      readonly items: readonly Record<"id" | "network" | "transaction" | "amount_atomic", string>[];
      readonly next_cursor: string | null;
    }
    const pages: Page["items"][number][] = [];
    let path: string | null = "/receipts?limit=2";
    while (path !== null) {
      const page = (await (await node.get(path)).json()) as Page;
      pages.push(...page.items);
      path = page.next_cursor === null ? null : `/receipts?limit=2&cursor=${page.next_cursor}`;
    }
    const lines = pages
      .reverse()
      .map(({ id, network, transaction, amount_atomic }) => `${id} ${network} ${transaction} ${amount_atomic}\n`);
    const digest = new Bun.CryptoHasher("sha256").update(lines.join("")).digest("hex");
    expect(run("ledger", "audit", "--data", node.data).out).toContain(`4 receipts, digest ${digest}`);
  });

  test("no backup holds the node's key, its operator token or a bought API key", () => {
    const file = join(newFolder(), "backup.db");
    expect(run("backup", "--to", file, "--data", node.data).code).toBe(0);
    const text = readFileSync(file).toString("latin1");
    const pem = readFileSync(join(node.data, "node-key.pem"), "utf8").split("\n")[1] ?? "";
    expect(pem.length).toBeGreaterThan(40);
    expect(text).not.toContain(pem);
    expect(text).not.toContain(node.operator_token);
    expect(api_key).toMatch(/^ink_[0-9A-Za-z]{43}$/);
    expect(text).not.toContain(api_key);
  });

  test("a report adds up the sales", () => {
    const day = new Date().toISOString().slice(0, 10);
    const period = ["--from", "2020-01-01", "--to", day];
    const json = JSON.parse(run("ledger", "report", ...period, "--data", node.data, "--json").out);
    expect(json.sold.total.count).toBe(3);
    expect(json.sold.rows).toHaveLength(1);
    expect(json.sold.rows[0]).toMatchObject({ access: "payment", label: "organic", count: 3 });
    const csv = run("ledger", "report", ...period, "--data", node.data, "--csv").out.split("\n");
    expect(csv[0]).toBe("section,product,access,network,label,count,amount_atomic,amount_usd");
    const sold = csv.find((line) => line.startsWith("sold,"));
    expect(sold).toContain(`,3,${json.sold.total.amount_atomic},${json.sold.total.amount_usd}`);
  });

  test("the process that scheduled backups start makes one, and says why when it cannot", async () => {
    const taker = createBackupProcess(node.data, [BINARY]);
    const to = join(newFolder(), "ledger-20261121T100000Z.db");
    expect(await taker.take(to)).toMatchObject({ file: to, receipts: 4 });
    await expect(taker.take(to)).rejects.toThrow("never overwrites");
    await expect(createBackupProcess(newFolder(), [BINARY]).take(`${to}2`)).rejects.toThrow("exit 2");
  });

  test("one that is ended leaves nothing behind", async () => {
    const folder = newFolder();
    const script = join(newFolder(), "hanging.ts");
    writeFileSync(
      script,
      "const { writeFileSync } = require('node:fs'); for (const end of ['-journal', ''])" +
        "writeFileSync(process.argv.at(-1) + '.partial' + end, ''); await Bun.sleep(1e9);",
    );
    const taker = createBackupProcess(node.data, [process.execPath, script]);
    const taken = taker.take(join(folder, "backup.db"));
    taken.catch(() => undefined);
    await until(() => existsSync(join(folder, "backup.db.partial")), "the backup to begin");
    taker.cancel();
    await expect(taken).rejects.toThrow("backup failed");
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("exit codes and reasons", () => {
  test("a backup that would overwrite, or of nothing, is refused", () => {
    const file = join(newFolder(), "there.db");
    writeFileSync(file, "mine");
    expect(run("backup", "--to", file, "--data", node.data)).toMatchObject({ code: 1 });
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(run("backup", "--to", file, "--data", newFolder())).toMatchObject({ code: 2 });
    expect(run("backup", "--data", node.data)).toMatchObject({ code: 2 });
  });

  test("broken books are neither backed up nor restored: exit 3", () => {
    const good = join(newFolder(), "good.db");
    run("backup", "--to", good, "--data", node.data);
    const folder = newFolder();
    const broken = join(folder, "ledger.db");
    writeFileSync(broken, readFileSync(good));
    const db = new Database(broken);
    db.run("UPDATE accounts SET posted = posted + 1 WHERE kind = 'revenue'");
    db.close();
    const out = newFolder();
    const backup = run("backup", "--to", out, "--data", folder);
    expect(backup.code).toBe(3);
    expect(backup.err).toContain("BROKEN I2");
    expect(readdirSync(out)).toEqual([]);
    const data = join(newFolder(), "data");
    expect(run("restore", broken, "--data", data).code).toBe(3);
    expect(existsSync(data)).toBe(false);
    expect(run("restore", good, "--data", node.data)).toMatchObject({ code: 1 });
    expect(run("restore", join(folder, "nothing.db"), "--data", data)).toMatchObject({ code: 1 });
    expect(run("ledger", "audit", "--data", folder).code).toBe(3);
  });

  test.each([
    ["2026-11-02", "2026-11-01"],
    ["2026-02-30", "2026-03-01"],
    ["yesterday", "2026-11-01"],
    ["2026-11-01T00:00:00Z", "2026-11-01"],
  ])("a report from %s to %s is refused", (from, to) => {
    expect(run("ledger", "report", "--from", from, "--to", to, "--data", node.data).code).toBe(2);
  });
});

describe("the node itself", () => {
  test("tells the operator when it backs up, and where to", async () => {
    const backups = newFolder();
    const where = newNodeFolder([], `[backup]\ndir = ${JSON.stringify(backups)}\nkeep = 2\n`);
    const started = await startRun(where);
    const authorization = `Bearer ${readFileSync(join(where.data, "operator.token"), "utf8").trim()}`;
    const status = await (await fetch(`${started.url()}/admin/status`, { headers: { authorization } })).json();
    const jobs = (status as { jobs: readonly { id: string; detail?: unknown }[] }).jobs;
    const detail = { dir: backups, last_backup: null, last_failure: null };
    expect(jobs.find(({ id }) => id === "ledger-backup")?.detail).toEqual(detail);
    await started.kill();
  });

  test.skipIf(!process.env.TEST_LONG)("makes them by itself", async () => {
    const backups = newFolder();
    const where = newNodeFolder([], `[backup]\ndir = ${JSON.stringify(backups)}\nevery = "1m"\n`);
    const started = await startRun(where);
    const taken = () => readdirSync(backups).some((name) => name.endsWith(".db"));
    // At the next full minute; the wait of two rounds is longer than one minute and its jitter.
    for (let round = 0; round < 2 && !taken(); round++) await until(taken, "a backup").catch(() => undefined);
    expect(taken()).toBe(true);
    await until(() => started.err().includes("backup_taken"), "the log line");
    await started.kill();
  });

  test("refuses a ledger of a newer program and names both versions, and a folder whose restore was cut off", () => {
    const folder = newFolder();
    run("backup", "--to", join(folder, "ledger.db"), "--data", node.data);
    const db = new Database(join(folder, "ledger.db"));
    db.run("INSERT INTO schema_history (schema, program) VALUES (99, '9.8.7')");
    db.run("PRAGMA user_version = 99");
    db.close();
    const newer = run("demo", "--data", folder);
    expect(newer.code).toBe(1);
    expect(newer.err).toContain("schema 99, written by intel-node 9.8.7");
    expect(newer.err).toContain(`this is intel-node ${run("version").out.split(" ")[0]}`);
    const cut = newFolder();
    mkdirSync(join(cut, ".restoring"));
    const restoring = run("demo", "--data", cut);
    expect(restoring.code).toBe(1);
    expect(restoring.err).toContain("did not finish");
    expect(existsSync(join(cut, "ledger.db"))).toBe(false);
  });
});

describe("proofs of wallets", () => {
  const seed = (byte: number) => Buffer.alloc(32, byte);
  const ed25519 = (byte: number, message: string): Buffer => {
    const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed(byte)]);
    return sign(null, Buffer.from(message), createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
  };
  const base = privateKeyToAccount(`0x${seed(7).toString("hex")}`);
  const wallets = [
    ["base", base.address, async (text: string) => base.signMessage({ message: text })],
    ["solana", "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu", async (text: string) => base58.encode(ed25519(2, text))],
    [
      "algorand",
      "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M",
      async (text: string) => ed25519(3, `MX${text}`).toString("base64"),
    ],
  ] as const;
  const tables = wallets.map(([name, address]) => `[wallets.${name}]\npay_to = "${address}"\n`).join("");
  const configure = (more: string) => {
    const folder = newFolder();
    const config = join(folder, "node.toml");
    writeFileSync(config, `[data]\ndir = ${JSON.stringify(join(folder, "data"))}\n${tables}${more}`);
    return config;
  };
  const NODE = '[node]\npublic_url = "https://node.example.com"\n';

  test("are printed, signed elsewhere and checked, and make a valid configuration", async () => {
    const config = configure(NODE);
    const { proofs } = JSON.parse(run("wallet", "proof", "--config", config, "--json").out);
    expect(proofs).toHaveLength(3);
    let proven = readFileSync(config, "utf8");
    for (const [name, address, signText] of wallets) {
      const proof = proofs.find((one: { address: string }) => one.address === address);
      const signature = await signText(proof.statement);
      const args = ["wallet", "verify", "--config", config, "--address", address, "--signature", signature];
      const byName = run(...args, "--network", name);
      const byId = run(...args, "--network", proof.network, "--json");
      expect([byName.code, byId.code]).toEqual([0, 0]);
      const line = byName.out.split("\n").find((one) => one.startsWith("proofs = ")) ?? "";
      expect(line).toBe(`proofs = ["${JSON.parse(byId.out).proof}"]`);
      proven = proven.replace(`pay_to = "${address}"\n`, `pay_to = "${address}"\n${line}\n`);
      const wrong = await signText(`${proof.statement}\n`);
      expect(run(...args.slice(0, -1), wrong, "--network", name).code).toBe(1);
    }
    writeFileSync(config, proven);
    expect(run("check", "--config", config).out).toContain("valid");
    expect(base32nopad.decode(wallets[2][1])).toHaveLength(36);
  });

  test("need the node's address, a wallet, and the address that is paid", () => {
    expect(run("wallet", "proof", "--config", configure("")).err).toContain("public_url");
    const args = ["--network", "base", "--signature", "0x"];
    const other = run("wallet", "verify", "--config", configure(NODE), ...args, "--address", `0x${"1".repeat(40)}`);
    expect(other.code).toBe(2);
    expect(other.err).toContain(base.address);
    const unknown = ["--network", "eip155:1", "--signature", "0x", "--address", base.address];
    expect(run("wallet", "verify", "--config", configure(NODE), ...unknown).err).toContain("--network is one of");
  });
});
