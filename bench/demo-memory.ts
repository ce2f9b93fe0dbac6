import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";

/**
 * `./build.sh && bun bench/demo-memory.ts [SECONDS]`: what `demo --serve`, compiled, takes of memory: at most while it
 * lives its past, half a minute later, and while it sells for SECONDS (30) to callers with a key, eight at once. Sizes
 * are the kernel's own: the most resident ever (VmHWM, set back between the parts), and what is resident. Nothing here
 * is a test.
 */
const BINARY = process.env.TEST_BINARY ?? join(import.meta.dir, "..", "dist", "intel-node");
const SELL_MS = Number(process.argv[2] ?? 30) * 1_000;
const CALLERS = 8;
const QUIET_MS = 30_000;
const BAR_MIB = 300;
const FREE = ["/get-pricing", "/", "/live", "/openapi.json", "/p/fear-greed"];

const data = mkdtempSync(join(tmpdir(), "demo-memory-"));
const child = Bun.spawn([BINARY, "demo", "--serve", "--port", "0", "--data", data], {
  cwd: data,
  stdio: ["ignore", "pipe", "ignore"] as ["ignore", "pipe", "ignore"],
});
const readMiB = (name: "VmHWM" | "VmRSS" | "RssAnon"): number => {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1_024;
};
/** From now on the most is that of now. */
const forgetMost = () => Bun.write(`/proc/${child.pid}/clear_refs`, "5");
const readCPU = (): number => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
};
const rows: string[] = [];
const note = (what: string, mib: number): void => {
  rows.push(`| ${what} | ${mib.toFixed(0)} | ${mib <= BAR_MIB ? "held" : "**missed**"} |`);
};

try {
  const began_ms = performance.now();
  const decoder = new TextDecoder();
  let line = "";
  for await (const chunk of child.stdout) {
    line += decoder.decode(chunk, { stream: true });
    if (line.includes("\n")) break;
  }
  const { url, operator_token } = JSON.parse(line) as { readonly url: string; readonly operator_token: string };
  // A connection that was idle while a busy machine stood still may be closed by then.
  const isLived = async () => (await fetch(`${url}/win-rate-verified?preview=1`).catch(() => null))?.status === 200;
  while (!(await isLived())) await Bun.sleep(500);
  const [lived_s, cpu_s] = [(performance.now() - began_ms) / 1_000, readCPU()];
  note("most while the past is lived", readMiB("VmHWM"));
  await Bun.sleep(QUIET_MS);
  note("half a minute later", readMiB("VmRSS"));
  await forgetMost();

  const issued = await fetch(`${url}/admin/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${operator_token}`, "content-type": "application/json" },
    body: JSON.stringify({ command: "issue", credit_usd: "1000000" }),
  });
  const { api_key } = (await issued.json()) as { readonly api_key: string };
  const { products } = (await (await fetch(`${url}/get-pricing`)).json()) as {
    readonly products: readonly { readonly path: string }[];
  };
  let calls = 0;
  const until_ms = performance.now() + SELL_MS;
  const call = async (from: number): Promise<void> => {
    for (let n = from; performance.now() < until_ms; n += 1) {
      const is_keyed = n % 3 > 0;
      const path = is_keyed ? products[n % products.length]?.path : FREE[n % FREE.length];
      await (await fetch(`${url}${path}`, { headers: is_keyed ? { "X-API-Key": api_key } : {} })).arrayBuffer();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, n) => call(n * 7)));
  note(`most while it sells, ${calls} calls in ${SELL_MS / 1_000} s`, readMiB("VmHWM"));
  await Bun.sleep(QUIET_MS);
  note("half a minute later", readMiB("VmRSS"));
  const anon = readMiB("RssAnon");
  console.log(`| \`demo --serve\` | MiB resident | at most ${BAR_MIB} |\n| --- | --- | --- |\n${rows.join("\n")}`);
  console.log(
    `\nThe past took ${lived_s.toFixed(0)} s by the clock and ${cpu_s.toFixed(0)} s of processor time. ` +
      `Of the last size ${anon.toFixed(0)} MiB are its own, the rest pages of its files. ` +
      `Load of the machine: ${loadavg()[0]?.toFixed(1)}.`,
  );
} finally {
  child.kill("SIGKILL");
  await child.exited;
  rmSync(data, { recursive: true, force: true });
}
