import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { benchKey, writeLedger } from "./big-ledger.ts";
import { serveFiles } from "./dataset-files.ts";
import { median } from "./median.ts";
import { BINARY, ROOT } from "./shop.ts";

/**
 * `./build.sh && bun bench/dataset-calls.ts`: keyed calls of the compiled binary, 1,000 a second, each on disk before
 * it is answered, while it takes in three large files again and again, against the same while it takes in none. Nothing
 * is pinned: the worker that parses has the second core, which it shares with the caller.
 */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = 6;
const server = serveFiles();
/** Without network their jobs would be tried again and again. */
const OTHERS = readdirSync(join(ROOT, "src", "plugins"), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const folders: string[] = [];
const children: ReturnType<typeof Bun.spawn>[] = [];

async function startNode(schedule: string) {
  const folder = mkdtempSync(join(tmpdir(), "intel-node-bench-"));
  folders.push(folder);
  mkdirSync(join(folder, "data"));
  await writeLedger(join(folder, "data"), { keys: 1, transfers: 1 });
  const config = join(folder, "node.toml");
  const plugins = JSON.stringify(join(folder, "plugins"));
  mkdirSync(join(folder, "plugins"));
  const read = (name: string) => readFileSync(join(ROOT, "bench", "plugins", name), "utf8");
  writeFileSync(join(folder, "plugins", "shop.ts"), read("bench.ts").replace('id: "bench"', 'id: "shop"'));
  writeFileSync(join(folder, "plugins", "files.ts"), read("datasets/files.ts"));
  writeFileSync(
    config,
    `[server]\nport = 0\n[data]\ndir = ${JSON.stringify(join(folder, "data"))}\n[plugins]\ndir = ${plugins}\n` +
      `disabled = ${JSON.stringify(OTHERS)}\n` +
      '[preview]\ndelay = "0s"\n[limits]\nfree_per_minute = 1000000\n' +
      'loopback_exempt = true\n[log]\nformat = "json"\n',
  );
  const env = { ...process.env, BENCH_FILES_URL: `http://127.0.0.1:${server.port}`, BENCH_FILES_SCHEDULE: schedule };
  const child = Bun.spawn([BINARY, "run", "--config", config], { env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let text = "";
  const collect = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) text += part;
  };
  void collect(child.stdout);
  void collect(child.stderr);
  const waitFor = async (pattern: RegExp, count: number) => {
    for (let tries = 0; (text.match(pattern)?.length ?? 0) < count; tries += 1) {
      if (tries > 600) throw new Error(`${pattern} did not come ${count} times: ${text.slice(-2_000)}`);
      await Bun.sleep(100);
    }
  };
  await waitFor(/bind +http\S+/g, 1);
  const url = /bind +(http\S+)/.exec(text)?.[1] ?? "";
  const countTaken = () => text.match(/dataset_taken_in/g)?.length ?? 0;
  await waitFor(/dataset_taken_in/g, 3);
  return { url, countTaken, stop: () => child.kill("SIGTERM") };
}

async function paced(url: string): Promise<{ p50_ms: number; p99_ms: number }> {
  const command = [
    process.execPath,
    join(ROOT, "bench", "paced.ts"),
    `${url}/bench`,
    "1000",
    String(SECONDS),
    benchKey(0),
  ];
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "inherit"] });
  const { failed, ...result } = JSON.parse(await new Response(child.stdout).text());
  if (failed > 0) throw new Error(`${failed} calls failed`);
  return result;
}

try {
  const figures = { quiet: [] as number[], busy: [] as number[] };
  // One after the other: a node that parses would take the other's time, too.
  const quiet = await startNode("0 4 * * *");
  for (let round = 0; round < ROUNDS; round += 1) figures.quiet.push((await paced(quiet.url)).p99_ms);
  quiet.stop();
  const busy = await startNode("*/6 * * * * *");
  let taken = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = busy.countTaken();
    figures.busy.push((await paced(busy.url)).p99_ms);
    taken += busy.countTaken() - before;
  }
  const show = (list: readonly number[]) =>
    `${median(list).toFixed(1)} (${list.map((ms) => ms.toFixed(1)).join(", ")})`;
  console.log(
    `keyed calls, 1,000/s, p99 in ms of ${ROUNDS} times ${SECONDS} s: nothing taken in ${show(figures.quiet)}`,
  );
  console.log(`the same while ${taken} files are taken in: ${show(figures.busy)}; load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  for (const child of children) child.kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  await server.stop(true);
}
process.exit(0);
