import { join } from "node:path";
import { cleanUp, payingFetch, startDemo } from "../test/helpers/demo-node.ts";
import { writeSection } from "./report.ts";

/**
 * `bun run bench:door`: what the chat door of the compiled binary adds to its model, one call at a time with a prepaid
 * key: the same model is asked directly and through the door in turn. Medians; nothing here is a test.
 */
const ROOT = join(import.meta.dir, "..");
const CALLS = Number(process.env.BENCH_CALLS ?? 1_000);
const WARM_UP = 200;
const BAR_MS = 5;

const node = await startDemo({});
const { world } = (await node.control("")) as { world: string };
const pay = payingFetch();
const { api_key } = (await (await pay(`${node.url}/buy-credits`)).json()) as { api_key: string };
// Each purchase pays for 250 completions.
for (let paid = 250; paid < CALLS + WARM_UP; paid += 250) {
  const again = await payingFetch()(`${node.url}/buy-credits`, { headers: { "X-API-Key": api_key } });
  if (again.status !== 200) throw new Error(`no credits: ${again.status}`);
}
const headers = { "content-type": "application/json" };
const asked = { messages: [{ role: "user", content: "hello" }] };

async function ask(url: string, body: object, more: Record<string, string> = {}): Promise<number> {
  const started = performance.now();
  const init = { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return performance.now() - started;
}
let sent = 0;
const askModel = () => ask(`${world}/model/sandbox/v1/chat/completions`, { ...asked, model: "sandbox-writer" });
const askDoor = () => {
  sent += 1;
  const messages = [{ role: "user", content: `hello ${sent}` }];
  return ask(`${node.url}/v1/chat/completions`, { messages }, { "X-API-Key": api_key });
};

for (let call = 0; call < WARM_UP; call += 1) {
  await askModel();
  await askDoor();
}
const direct: number[] = [];
const through: number[] = [];
for (let call = 0; call < CALLS; call += 1) {
  direct.push(await askModel());
  through.push(await askDoor());
}
await cleanUp();

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;
const ms = (value: number) => `${value.toFixed(2)} ms`;
const adds = at(through, 0.5) - at(direct, 0.5);
const bar = `at most ${BAR_MS} ms: ${adds <= BAR_MS ? "held" : "NOT held"}`;
const rows = [
  ["the model alone", at(direct, 0.5), at(direct, 0.99), ""],
  ["through the door", at(through, 0.5), at(through, 0.99), ""],
  ["the door adds", adds, at(through, 0.99) - at(direct, 0.99), bar],
] as const;
const table = rows.map(([what, median, p99, note]) => `| ${what} | ${ms(median)} | ${ms(p99)} | ${note} |`).join("\n");
const about = `compiled binary, ${CALLS} calls with a prepaid key, one at`;
const text = `Written by \`./build.sh && bun run bench:door\`: ${about}
a time; the sandbox plays the model over HTTP in the same process, asked directly and through the door in turn.

| | median | 99th percentile | |
| --- | --- | --- | --- |
${table}`;
writeSection(join(ROOT, "docs", "performance.md"), "## The chat door", text);
process.stdout.write(`${text}\n`);
