import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSettableClock } from "../../src/core/clock.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { registry } from "../../src/plugins/registry.gen.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { newPayer } from "../helpers/demo-node.ts";
import { repeat } from "../helpers/effort.ts";
import { numberPlugin } from "../helpers/file-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

const NODE = join(import.meta.dir, "..", "..", "src", "node.ts");
const ROUNDS = repeat({ quick: 1, full: 20, long: 200 });
/** How long after its first call of a round the node is killed, at most. */
const KILL_MS_MAX = 150;
const NAMES = ["one", "two", "three", "four", "five"];
const ITEMS = NAMES.map((name) => ({ product: `/${name}` }));
const SUM = 10_000n * BigInt(NAMES.length);

let sandbox: Sandbox;
let folder = "";
beforeAll(async () => {
  sandbox = await createSandbox({ seed: "basket-kill", clock: createSettableClock(), simulators: [] });
  folder = mkdtempSync(join(tmpdir(), "basket-kill-"));
  mkdirSync(join(folder, "plugins"));
  for (const [n, name] of NAMES.entries()) writeFileSync(join(folder, "plugins", `${name}.ts`), numberPlugin(name, n));
  writeFileSync(
    join(folder, "node.toml"),
    `[[facilitators]]
kind = "remote"
url = "${sandbox.facilitatorUrl()}"
[server]
port = 0
[data]
dir = ${JSON.stringify(join(folder, "data"))}
[plugins]
dir = ${JSON.stringify(join(folder, "plugins"))}
disabled = ${JSON.stringify(registry.map(({ id }) => id))}
[plans.buy_credits]
grants = "500"
[payments]
testnet = true
[chains.base_sepolia]
rpc = ["${sandbox.rpcUrl("base_sepolia")}"]
[wallets.base]
pay_to = "0x90F79bf6EB2c4f870365E785982E1f101E93b906"
[limits]
loopback_exempt = true
`,
  );
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The node in a process of its own, from source. */
async function startNode() {
  let out = "";
  const child = Bun.spawn([process.execPath, NODE, "run", "--config", join(folder, "node.toml")], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: folder,
  });
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) out += new TextDecoder().decode(chunk);
  };
  void read(child.stdout);
  void read(child.stderr);
  while (!/next +curl/.test(out) && child.exitCode === null) await Bun.sleep(20);
  if (child.exitCode !== null) throw new Error(`the node ended: ${out.slice(-1_000)}`);
  const kill = async () => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { url: /bind +(http\S+)/.exec(out)?.[1] ?? "", kill };
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response | null> =>
  fetch(`${url}/basket`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  }).catch(() => null);
/** The body once the call was answered whole; null when it has to be sent again. */
const readWhole = async (response: Response | null): Promise<string | null> => {
  if (response?.status !== 200) return null;
  const text = await response.text().catch(() => "");
  return text.includes('"delivered":5') ? text : null;
};

test("a node killed at any moment charges each basket and each item of one once, and loses no answer", async () => {
  let node = await startNode();
  const plan = `${node.url}/buy-credits`;
  const bought = await fetch(plan, {
    headers: { "PAYMENT-SIGNATURE": await createPaymentPayload(await fetch(plan), newPayer()) },
  });
  const { api_key } = (await bought.json()) as { api_key: string };
  let by_key = 0n;
  let by_payment = 0n;
  for (let round = 0; round < ROUNDS; round += 1) {
    const challenge = await post(node.url, ITEMS);
    if (!challenge) throw new Error("no price");
    const payment = { "PAYMENT-SIGNATURE": await createPaymentPayload(challenge, newPayer()) };
    const key = { "X-API-Key": api_key, "Idempotency-Key": `round ${round}` };
    const whole = { "X-API-Key": api_key, "Idempotency-Key": `whole ${round}` };
    const dies = Bun.sleep(Math.random() * KILL_MS_MAX).then(node.kill);
    const first = await Promise.all([
      post(node.url, { items: ITEMS, partial: true }, key).then(readWhole),
      post(node.url, ITEMS, whole).then(readWhole),
      post(node.url, ITEMS, payment).then(readWhole),
    ]);
    await dies;
    node = await startNode();
    const again = async (body: unknown, headers: Record<string, string>): Promise<string> => {
      for (;;) {
        const text = await readWhole(await post(node.url, body, headers));
        if (text !== null) return text;
        await Bun.sleep(100);
      }
    };
    const last = [
      await again({ items: ITEMS, partial: true }, key),
      await again(ITEMS, whole),
      await again(ITEMS, payment),
    ];
    // What was handed over before the end is handed over again: of the parts the answers, of one sale every byte.
    const answersOf = (text: string) => (JSON.parse(text) as { data: unknown }).data;
    for (const [index, text] of first.entries()) {
      if (text !== null) expect(answersOf(last[index] ?? "")).toEqual(answersOf(text));
      if (text !== null && index > 0) expect(last[index]).toBe(text);
    }
    by_key += 2n * SUM;
    by_payment += SUM;
  }
  const status = await fetch(`${node.url}/credits-status`, { headers: { "X-API-Key": api_key } });
  const { balance_atomic } = (await status.json()) as { balance_atomic: string };
  expect(500_000_000n - BigInt(balance_atomic)).toBe(by_key);
  await node.kill();
  const books = openLedger({ file: join(folder, "data", "ledger.db"), clock: createSettableClock() });
  try {
    expect((await books.audit()).findings).toEqual([]);
    const paid = (await books.receipts.list({ limit: 1_000 })).filter(({ product }) => product === "basket");
    expect(paid.reduce((sum, { amount }) => sum + amount, 0n)).toBe(by_payment);
  } finally {
    await books.close();
  }
});
