import { join } from "node:path";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createBuyer } from "../src/buyer/buyer.ts";
import { createBuyerChannel } from "../src/buyer/channel-buyer.ts";
import { readCPU } from "./bench-nodes.ts";
import { median } from "./median.ts";

/**
 * `bun bench/vouchers.ts [folder of another checkout...]`: what a call paid by the voucher of a channel costs beside a
 * free one, one by key and one by an `exact` payment, one connection, all signed ahead, interleaved; further checkouts
 * are measured in the same rounds. A node from source on sandbox money; nothing here is a test.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CALLS = Number(process.env.BENCH_CALLS ?? 200);
const OWN = join(import.meta.dir, "..");
const checkouts = [OWN, ...process.argv.slice(2)];
type Headers = Readonly<Record<string, string>>;

async function start(root: string) {
  const server = join(root, "bench", "servers", "channel-node.ts");
  const child = Bun.spawn([process.execPath, server], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of child.stdout) {
    text += decoder.decode(part);
    if (text.includes("\n")) break;
  }
  const { url, api_key } = JSON.parse(text) as { readonly url: string; readonly api_key: string };
  return { child, url: `${url}/bench`, api_key };
}
type Node = Awaited<ReturnType<typeof start>>;

async function call(url: string, headers: Headers): Promise<void> {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
}

/** Signs ahead what one round sends. */
async function prepare({ url, api_key }: Node): Promise<Record<string, readonly Headers[]>> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { accepts } = (await (await fetch(url)).json()) as { readonly accepts: never[] };
  const channel = await createBuyerChannel(account, accepts, Date.now);
  if (channel === null) throw new Error("no channel is offered");
  const { price } = channel;
  await call(url, { "PAYMENT-SIGNATURE": await channel.deposit(price * BigInt(CALLS + 1), price) });
  const vouchers: Headers[] = [];
  for (let n = 2; n <= CALLS + 1; n++) vouchers.push({ "PAYMENT-SIGNATURE": await channel.pay(price * BigInt(n)) });
  const buyer = await createBuyer(Date.now);
  const challenge = buyer.readChallenge(await fetch(url));
  const exact: Headers[] = [];
  for (let n = 0; n < CALLS / 4; n++) exact.push({ "PAYMENT-SIGNATURE": (await buyer.sign(challenge)).header });
  const same = (headers: Headers) => Array.from({ length: CALLS }, () => headers);
  return { free: same({}), key: same({ "X-API-Key": api_key }), voucher: vouchers, exact };
}

const nodes = await Promise.all(checkouts.map(start));
const figures = new Map<string, { ms: number[]; cpu_ms: number[] }>();
try {
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, node] of nodes.entries()) {
      for (const [name, list] of Object.entries(await prepare(node))) {
        const url = name === "free" ? `${node.url}?preview=1` : node.url;
        const before_ms = readCPU(node.child.pid);
        const times: number[] = [];
        for (const headers of list) {
          const from = performance.now();
          await call(url, headers);
          times.push(performance.now() - from);
        }
        // The first round warms up.
        if (round === 0) continue;
        const known = figures.get(`${at} ${name}`) ?? { ms: [], cpu_ms: [] };
        known.ms.push(...times);
        known.cpu_ms.push((readCPU(node.child.pid) - before_ms) / list.length);
        figures.set(`${at} ${name}`, known);
      }
    }
    console.error(`round ${round} of ${ROUNDS}`);
  }
} finally {
  for (const { child } of nodes) child.kill();
}
console.log("| checkout | call | median ms | p10 ms | processor ms |\n| --- | --- | --- | --- | --- |");
for (const [name, { ms, cpu_ms }] of figures) {
  const [at, kind] = name.split(" ");
  const low = ms.toSorted((a, b) => a - b)[Math.floor(ms.length / 10)] ?? 0;
  const columns = [median(ms), low, median(cpu_ms)].map((value) => value.toFixed(2));
  console.log(`| ${[checkouts[Number(at)], kind, ...columns].join(" | ")} |`);
}
