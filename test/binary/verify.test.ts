import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { BINARY, cleanUp, newFolder, startDemo } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import {
  freePort,
  localPlugin,
  type NodeFolder,
  startFacilitator,
  startRun,
  startUpstream,
  stopRuns,
} from "../helpers/run-node.ts";

afterAll(cleanUp);
afterAll(stopRuns);

type Answer = Record<string, unknown>;
interface Report {
  readonly verdict: string;
  readonly node_id: string | null;
  readonly sandbox: boolean;
  readonly payees: readonly Answer[];
  readonly steps: readonly { readonly name: string; readonly state: string; readonly detail: string }[];
}

/** Not in step with this process, which may answer what the program asks. */
async function run(...args: string[]) {
  const child = Bun.spawn([BINARY, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}
async function verify(url: string): Promise<{ code: number; report: Report }> {
  const { code, out } = await run("verify", url, "--json");
  return { code, report: JSON.parse(out) };
}
const failedOf = ({ steps }: Report) => steps.filter(({ state }) => state === "failed").map(({ name }) => name);

const facilitator = startFacilitator();
const upstream = startUpstream();
afterAll(() => Promise.all([facilitator.stop(), upstream.stop()]));

interface Owned extends NodeFolder {
  readonly url: string;
  /** Writes the configuration with these lines under [wallets.base]. */
  configure(lines: string): void;
}

/** A node on a test network with one receiving address. */
async function newOwned(pay_to: string): Promise<Owned> {
  const folder = newFolder();
  const [data, plugins, config] = [join(folder, "data"), join(folder, "plugins"), join(folder, "node.toml")];
  mkdirSync(plugins);
  writeFileSync(join(plugins, "local.ts"), localPlugin(upstream.url));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const configure = (lines: string) =>
    writeFileSync(
      config,
      `[node]\npublic_url = "${url}"\n[server]\nport = ${port}\n[data]\ndir = ${JSON.stringify(data)}\n` +
        `[plugins]\ndir = ${JSON.stringify(plugins)}\ndisabled = ["crypto-market"]\n[payments]\ntestnet = true\n` +
        `[[facilitators]]\nkind = "remote"\nurl = "${facilitator.url}"\n[limits]\nloopback_exempt = true\n` +
        `[wallets.base]\npay_to = "${pay_to}"\n${lines}\n`,
    );
  configure("");
  return { folder, config, data, url, configure };
}

async function start(owned: Owned) {
  const node = await startRun(owned);
  await until(async () => (await fetch(`${owned.url}/local`)).status === 402, "an offer");
  return {
    ...node,
    async stop() {
      node.signal("SIGTERM");
      await node.exited();
    },
  };
}

describe("a node whose wallet signed for it", () => {
  const account = privateKeyToAccount(generatePrivateKey());
  /** As its owner does it: print, sign elsewhere, check, take the lines over. */
  async function prove(owned: Owned, ...next: string[]): Promise<string> {
    const printed = await run("wallet", "proof", "--config", owned.config, "--json", ...next);
    const { proofs } = JSON.parse(printed.out) as { proofs: { statement: string; origin_message: string }[] };
    const lines: string[] = [];
    for (const message of [proofs[0]?.statement ?? "", proofs[0]?.origin_message ?? ""]) {
      const signature = await account.signMessage({ message });
      const wallet = ["--network", "base", "--address", account.address, "--signature", signature];
      const { code, out, err } = await run("wallet", "verify", "--config", owned.config, ...wallet, ...next);
      if (code !== 0) throw new Error(err);
      lines.push(out.trim().split("\n").at(-1) ?? "");
    }
    return lines.join("\n");
  }

  test("can be verified by anyone, before and after a change of its key", async () => {
    const owned = await newOwned(account.address);
    const lines = await prove(owned);
    expect(lines).toMatch(/^proofs = \["20\S+ 20\S+ 0x[0-9a-f]{130}"\]\norigin_proof = "0x[0-9a-f]{130}"$/);

    const unproven = await start(owned);
    const before = await verify(owned.url);
    expect([before.code, before.report.verdict, failedOf(before.report)]).toEqual([3, "partial", []]);
    await unproven.stop();

    owned.configure(lines);
    expect((await run("check", "--config", owned.config)).code).toBe(0);
    const node = await start(owned);
    const proven = await verify(owned.url);
    expect(proven).toMatchObject({
      code: 0,
      report: {
        verdict: "verified",
        sandbox: false,
        payees: [{ network: "eip155:84532", pay_to: account.address, proven: true }],
      },
    });
    const claims = async () =>
      (await (await fetch(`${owned.url}/.well-known/verify-manifest`)).json()) as Answer & { manifest: Answer };
    const first = await claims();
    const spoken = await run("verify", `${owned.url}/`);
    expect(spoken.out).toContain("verified: the node and every address it is paid at belong together");
    await node.stop();

    // The claim is about the manifest: a start alone makes no new one.
    const again = await start(owned);
    expect(await claims()).toEqual(first);
    await again.stop();

    // The next key, with the wallet's word for it before it is used.
    expect((await run("identity", "prepare", "--config", owned.config)).code).toBe(0);
    const next = (await prove(owned, "--next")).split("\n")[0]?.slice("proofs = [".length, -1) ?? "";
    const both = lines.replace('"]', `", ${next}]`);
    owned.configure(both);
    const early = await start(owned);
    expect((await verify(owned.url)).code).toBe(0);
    await early.stop();
    expect((await run("identity", "rotate", "--config", owned.config)).code).toBe(0);
    const rotated = await start(owned);
    const after = await verify(owned.url);
    expect([after.code, after.report.verdict]).toEqual([0, "verified"]);
    expect(after.report.node_id).not.toBe(proven.report.node_id);
    expect(await claims()).toMatchObject({
      node_id: after.report.node_id,
      retired_keys: [{ kid: expect.stringMatching(/#node-1$/), public_key: first.node_key }],
    });
    await rotated.stop();

    // Without the wallet's word for the new key: sold on, but not proven.
    owned.configure(lines);
    const forgotten = await start(owned);
    expect((await verify(owned.url)).code).toBe(3);
    expect(forgotten.out() + forgotten.err()).toContain("wallet_names_another_key");
    await forgotten.stop();
  });

  test("does not start when what is configured was not signed, and says which line it is", async () => {
    const owned = await newOwned(account.address);
    const lines = await prove(owned);
    const key = readFileSync(join(owned.data, "node-key.pem"), "utf8");
    const flip = (text: string, name: string) =>
      text.replace(new RegExp(`^(${name} = .*)(.)("\\]?)$`, "m"), (_, head, digit, end) => {
        return `${head}${digit === "b" ? "c" : "b"}${end}`;
      });
    for (const name of ["proofs", "origin_proof"]) {
      owned.configure(flip(lines, name));
      for (const command of ["check", "run"]) {
        const { code, err } = await run(command, "--config", owned.config);
        expect([command, name, code]).toEqual([command, name, 2]);
        expect(err).toContain(`[wallets.base] ${name}`);
      }
    }
    owned.configure(lines);
    writeFileSync(join(owned.data, "node-key.pem"), key);
    expect((await run("check", "--config", owned.config)).code).toBe(0);
    const moved = readFileSync(owned.config, "utf8").replace(/public_url = .*/, 'public_url = "http://127.0.0.1:1"');
    writeFileSync(owned.config, moved);
    const elsewhere = await run("check", "--config", owned.config);
    expect([elsewhere.code, elsewhere.err]).toEqual([2, expect.stringContaining("http://127.0.0.1:1")]);
    writeFileSync(owned.config, moved.replace(/public_url = .*/, ""));
    expect((await run("check", "--config", owned.config)).err).toContain("set [node] public_url");
  });

  test("does not start with another key than the one the wallet named", async () => {
    const owned = await newOwned(account.address);
    owned.configure(await prove(owned));
    const lost = await newOwned(account.address);
    await prove(lost);
    writeFileSync(
      lost.config,
      readFileSync(owned.config, "utf8").replace(JSON.stringify(owned.data), JSON.stringify(join(lost.folder, "none"))),
    );
    expect((await run("check", "--config", lost.config)).err).toContain("put node-key.pem back");
    writeFileSync(
      lost.config,
      readFileSync(owned.config, "utf8").replace(JSON.stringify(owned.data), JSON.stringify(lost.data)),
    );
    expect((await run("run", "--config", lost.config)).code).toBe(2);
  });
});

test("a sandbox is what it says: nothing wrong, nothing proven, no signature of a wallet anywhere", async () => {
  const node = await startDemo();
  const { code, report } = await verify(node.url);
  expect([code, report.verdict, report.sandbox, failedOf(report)]).toEqual([3, "partial", true, []]);
  expect(report.payees.length).toBeGreaterThan(0);
  expect(report.payees.every(({ proven }) => proven === false)).toBe(true);
  expect(await (await node.get("/.well-known/verify-manifest")).text()).not.toContain('"signature"');
});

describe("refused, and never believed", () => {
  const serve = (answer: (path: string) => Response) => {
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: ({ url }) => answer(new URL(url).pathname) });
    return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
  };

  test("is a node that shows another node's documents", async () => {
    const node = await startDemo();
    const copies = new Map<string, string>();
    for (const path of ["/.well-known/x402.json", "/.well-known/verify-manifest", "/.well-known/did.json"]) {
      copies.set(path, await (await node.get(path)).text());
    }
    const thief = serve((path) => new Response(copies.get(path) ?? "", { status: copies.has(path) ? 200 : 404 }));
    const { code, report } = await verify(thief.url);
    expect([code, report.verdict, report.node_id]).toEqual([1, "refused", null]);
    await thief.stop();
  });

  test.each([
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "https://node.example.com/" } }),
      "redirect",
    ],
    ["an endless document", () => new Response("x".repeat(1_048_577)), "over 1048576 bytes"],
    ["an error", () => new Response("", { status: 500 }), "answers 500"],
    ["what is no JSON", () => new Response("<html>"), "no manifest"],
  ])("is %s", async (_, answer, why) => {
    const server = serve(answer);
    const { code, report } = await verify(server.url);
    expect(code).toBe(1);
    expect(report.steps[0]?.detail).toContain(why);
    await server.stop();
  });

  test("is a node whose documents would steer the reader's terminal, shown as plain text", async () => {
    const claims = { v: 1, origin: "x", node_id: "x", node_key: "x", wallets: [] };
    const manifest = { url: "x", sha256: "\u001b[2Jverified\u009b\u202e\r\n", jws: "x" };
    const answers: Record<string, unknown> = {
      "/.well-known/x402.json": { node: { url: "x" }, resources: [] },
      "/.well-known/verify-manifest": { ...claims, manifest },
    };
    const server = serve((path) => Response.json(answers[path] ?? null));
    const { code, out } = await run("verify", server.url);
    expect([code, out.includes(String.raw`\u001b[2Jverified\u009b\u202e\u000d\u000a`)]).toEqual([1, true]);
    expect(out).toMatch(/^[\x20-\x7e\n]+$/);
    await server.stop();
  });

  test("is unknown, and an invalid address of a node is a faulty command", async () => {
    expect((await verify(`http://127.0.0.1:${await freePort()}`)).code).toBe(1);
    for (const url of ["node.example.com", "http://node.example.com", "file:///etc/passwd", "https://u:p@x.example"]) {
      expect([url, (await run("verify", url)).code]).toEqual([url, 2]);
    }
  });
});
