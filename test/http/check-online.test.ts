import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askPublicURL } from "../../src/commands/online/ask-public-url.ts";
import type { CheckFinding } from "../../src/commands/online/finding.ts";
import { createSettableClock } from "../../src/core/clock.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { simulators } from "../../src/sandbox/simulators.gen.ts";
import { compareClock } from "../../src/upstream/compare-clock.ts";
import { until } from "../helpers/hang-limit.ts";
import { READ_CHAINS, renderChain, renderProviderTables } from "../helpers/provider-tables.ts";
import { freePort } from "../helpers/run-node.ts";

/** `check --online` as the operator runs it, against the sandbox's upstreams, chains and facilitator over HTTP. */
const folder = mkdtempSync(join(tmpdir(), "check-online-"));
const ROOT = join(import.meta.dir, "../..");
const SELLERS = {
  base: "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
  solana: "GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse",
  algorand: "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M",
};
let sandbox: Sandbox;
let node: Bun.Subprocess;
let port = 0;

const control = async (path: string, body: unknown): Promise<void> => {
  const init = { method: "POST", body: JSON.stringify(body) };
  const response = await sandbox.handleControl(new Request(`http://127.0.0.1/__sandbox${path}`, init));
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
};

function writeConfig(name: string, facilitator_url: string, chains: string): string {
  const file = join(folder, name);
  const wallets = Object.entries(SELLERS).map(([wallet, address]) => `[wallets.${wallet}]\npay_to = "${address}"\n`);
  writeFileSync(
    file,
    `[node]\npublic_url = "http://127.0.0.1:${port}"\ncontact_email = "ops@example.com"\n` +
      `[server]\nport = ${port}\n[data]\ndir = "data"\n[payments]\ntestnet = true\n` +
      `[[facilitators]]\nkind = "remote"\nurl = "${facilitator_url}"\n` +
      `${wallets.join("")}${chains}${renderProviderTables(sandbox.upstreamUrl)}`,
  );
  return file;
}

async function check(config: string) {
  const child = Bun.spawn([process.execPath, "src/node.ts", "check", "--online", "--json", "--config", config], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (out === "") throw new Error(err);
  const { online } = JSON.parse(out) as { readonly online: readonly CheckFinding[] };
  const of = (area: CheckFinding["area"]) => online.filter((finding) => finding.area === area);
  return { code, online, of, out };
}

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "check", clock: createSettableClock(), simulators });
  for (const [network, address] of [
    ["eip155:84532", SELLERS.base],
    ["solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", SELLERS.solana],
    ["algorand:SGO1GKSzyE7IEPItTxCByw9x8FmnrCDe", SELLERS.algorand],
  ] as const) {
    sandbox.introduce(network, address);
  }
  port = await freePort();
});

afterAll(async () => {
  node?.kill("SIGKILL");
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

const goodChains = (): string =>
  ["base_sepolia", "solana_devnet", "algorand_testnet"]
    .map((name) => renderChain(name, sandbox.rpcUrl(name), sandbox.rpcUrl(name).replace("127.0.0.1", "localhost")))
    .join("") + READ_CHAINS.map((name) => renderChain(name, sandbox.rpcUrl(name))).join("");

describe("check --online", () => {
  test("finds nothing wrong where nothing is, buys nothing, and says so line by line", async () => {
    const config = writeConfig("good.toml", sandbox.facilitatorUrl(), goodChains());
    node = Bun.spawn([process.execPath, "src/node.ts", "run", "--config", config], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "ignore"],
    });
    await until(
      () =>
        fetch(`http://127.0.0.1:${port}/live`).then(
          ({ ok }) => ok,
          () => false,
        ),
      "the node",
    );
    // As a proxy the operator forgot to name does.
    await fetch(`http://127.0.0.1:${port}/live`, { headers: { "x-forwarded-for": "203.0.113.9" } });
    const { code, online, of } = await check(config);
    const wrong = online.filter(({ level }) => level === "fail" || level === "skipped");
    expect(wrong.map(({ area, subject, level }) => [area, subject.split(" ")[0], level])).toEqual([
      // The simulated main network of Solana knows no genesis, and no server of the sandbox sends a date.
      ["rpc", "solana", "fail"],
      ["clock", "no", "skipped"],
      ["public url", "proxy", "fail"],
    ]);
    expect(code).toBe(1);
    expect(of("facilitator").map(({ level }) => level)).toEqual(["ok", "ok", "ok"]);
    expect(of("wallet").map(({ level }) => level)).toEqual(["ok", "ok", "ok"]);
    expect(of("rpc").filter(({ says }) => says.includes("5 calls at once answered")).length).toBe(
      6 + READ_CHAINS.length - 1,
    );
    expect(of("port")[0]?.says).toBe("this node is running there");
    const judged = of("provider").filter(({ says }) => says.includes("answered as"));
    expect(judged.length).toBeGreaterThan(of("provider").length / 2);
    expect(of("public url").some(({ says }) => /402 with a head of \d+ bytes/.test(says))).toBe(true);
    expect(sandbox.readChain().settlements).toBe(0);
  });

  test("names everything that is wrong at once, each with what to do", async () => {
    await control("/upstreams", { provider: "kraken", fault: "wrong_shape" });
    await control("/upstreams", { provider: "coinbase", fault: "none" });
    await control("/upstreams", { provider: "alternative_me", fault: "http429" });
    const wrong_chain =
      renderChain("base_sepolia", sandbox.rpcUrl("base")) +
      renderChain("solana_devnet", "http://127.0.0.1:9") +
      READ_CHAINS.map((name) => renderChain(name, sandbox.rpcUrl(name))).join("");
    const config = writeConfig("bad.toml", "http://127.0.0.1:9", wrong_chain);
    const { code, online, of } = await check(config);
    expect(code).toBe(1);
    const levelOf = (area: CheckFinding["area"], subject: string) =>
      of(area).find((finding) => finding.subject.startsWith(subject))?.level;
    expect({
      facilitators: of("facilitator").map(({ level }) => level),
      chain: levelOf("rpc", "base_sepolia 127"),
      dead: levelOf("rpc", "solana_devnet 127"),
      none: levelOf("rpc", "algorand_testnet"),
      shape: levelOf("provider", "kraken"),
      limited: levelOf("provider", "alternative_me"),
      backup: levelOf("backup", "[backup]"),
    }).toEqual({
      facilitators: ["fail", "fail", "fail", "fail"],
      chain: "fail",
      dead: "fail",
      none: "warn",
      shape: "fail",
      limited: "warn",
      backup: "warn",
    });
    const advised = online.filter(({ level }) => level !== "ok");
    expect(advised.filter(({ todo }) => todo === undefined)).toEqual([]);
    expect(online.find(({ says }) => says.includes("eip155:8453"))?.says).toContain("is on eip155:8453, not on");
  });
});

/** Nobody's clock goes on while the servers are asked, however long that takes. */
const NOW_MS = Date.UTC(2026, 9, 1, 12);

test("a clock that is off is told by three servers, and by their majority", async () => {
  const servers = [0, 0, 3_600_000].map((ahead_ms) =>
    Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response("", { headers: { date: new Date(NOW_MS + ahead_ms).toUTCString() } }),
    }),
  );
  const urls = servers.map(({ port }) => `http://127.0.0.1:${port}`);
  expect((await compareClock(urls, () => NOW_MS)).level).toBe("ok");
  const late = await compareClock(urls, () => NOW_MS - 60_000);
  expect([late.level, /^(59|60)\.\d s behind 3 servers$/.test(late.says)]).toEqual(["fail", true]);
  expect((await compareClock([], () => NOW_MS)).level).toBe("skipped");
  for (const server of servers) await server.stop(true);
});

test("a public address that leads elsewhere, or to a proxy that breaks the 402, is named", async () => {
  let status = 402;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => (url.endsWith("/live") ? Response.json({ node_id: "in1other" }) : new Response("", { status })),
  });
  const public_url = `http://127.0.0.1:${server.port}`;
  const ask = async (node_id: string | null) => {
    const findings = await askPublicURL({ public_url, node_id, paid_path: "/fear-greed", now_ms: Date.now() });
    return findings.at(-1)?.says ?? "";
  };
  expect(await ask("in1mine")).toContain("leads to another node");
  expect(await ask("in1other")).toContain("lost its PAYMENT-REQUIRED header");
  status = 502;
  expect(await ask("in1other")).toContain("the proxy does not take its head");
  await server.stop(true);
  expect(await ask("in1other")).toContain("does not answer");
});
