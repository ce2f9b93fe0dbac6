import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A node that `bench/soak.ts` calls. */
export interface SoakNode {
  readonly name: string;
  readonly pid: number;
  /** How many it sells. */
  readonly products: number;
  /** The next call: in turn something free, a keyed call and one that is not paid. */
  call(): Promise<void>;
  calls(): number;
  /** Lives so long by its own clock, jobs included; not of a node that has the machine's clock. */
  live(ms: number): Promise<void>;
  end(): void;
}

const ROOT = join(import.meta.dir, "..");
const BINARY = process.env.TEST_BINARY ?? join(ROOT, "dist", "intel-node");
const FREE = ["/get-pricing", "/", "/live", "/nowhere", "/p/fear-greed", "/openapi.json"];
const QUIET_AFTER_1_S = { ...process.env, BUN_IDLE_RELEASE_SECONDS: "1" };

/** The lines of a stream, one at a time. */
function createLineReader(stream: ReadableStream<Uint8Array>): () => Promise<string> {
  const chunks = stream[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  let text = "";
  return async () => {
    while (!text.includes("\n")) {
      const { done, value } = await chunks.next();
      if (done) throw new Error(`it ended: ${text}`);
      text += decoder.decode(value, { stream: true });
    }
    const end = text.indexOf("\n");
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    return line;
  };
}

interface Place {
  readonly url: string;
  readonly operator_token: string;
}
type Made = Pick<SoakNode, "name" | "pid" | "live" | "end"> & Place;

async function createSoakNode({ url, operator_token, ...of }: Made): Promise<SoakNode> {
  const headers = { Authorization: `Bearer ${operator_token}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ command: "issue", credit_usd: "100000" });
  const issued = await fetch(`${url}/admin/keys`, { method: "POST", headers, body });
  const { api_key } = (await issued.json()) as { readonly api_key: string };
  const { products } = (await (await fetch(`${url}/get-pricing`)).json()) as {
    readonly products: readonly { readonly path: string }[];
  };
  let calls = 0;
  return {
    ...of,
    products: products.length,
    calls: () => calls,
    async call() {
      const kind = calls % 3;
      const path = kind === 0 ? FREE[(calls / 3) % FREE.length] : products[calls % products.length]?.path;
      calls += 1;
      const response = await fetch(`${url}${path}`, { headers: kind === 1 ? { "X-API-Key": api_key } : {} });
      await response.arrayBuffer();
    },
  };
}

/** `intel-node demo`: the world is in the same process. */
export async function startSandboxNode(folder: string): Promise<SoakNode> {
  const args = ["demo", "--serve", "--port", "0", "--data", join(folder, "data"), "--no-history"];
  const stdio = ["ignore", "pipe", "ignore"] as ["ignore", "pipe", "ignore"];
  const child = Bun.spawn([BINARY, ...args], { cwd: folder, stdio, env: QUIET_AFTER_1_S });
  const place = JSON.parse(await createLineReader(child.stdout)()) as Place;
  const headers = { Authorization: `Bearer ${place.operator_token}` };
  return createSoakNode({
    ...place,
    name: "`demo`",
    pid: child.pid,
    async live(ms) {
      const body = JSON.stringify({ advance_s: ms / 1000 });
      const moved = await fetch(`${place.url}/__sandbox/clock`, { method: "POST", body, headers });
      if (moved.status !== 200) throw new Error(`clock: ${moved.status} ${await moved.text()}`);
    },
    end: () => child.kill("SIGKILL"),
  });
}

/** A world in a process of its own, and a file of configuration of a node that asks it. */
async function startWorld(folder: string) {
  const clock = join(folder, "clock");
  const config = join(folder, "node.toml");
  writeFileSync(clock, new Uint8Array(8));
  const stdio = ["ignore", "pipe", "ignore"] as ["ignore", "pipe", "ignore"];
  const child = Bun.spawn([process.execPath, join(ROOT, "bench/soak-world.ts"), clock], { stdio });
  const tables = JSON.parse(await createLineReader(child.stdout)()) as string;
  const own = `[node]\ncontact_email = "ops@example.com"\n[server]\nport = 0\n[data]\ndir = "data"\n`;
  writeFileSync(config, `${own}[limits]\nloopback_exempt = true\n${tables}`);
  return { clock, config, end: () => child.kill("SIGKILL") };
}

/** `intel-node run`, the compiled binary, on the machine's clock. */
export async function startSoldNode(folder: string): Promise<SoakNode> {
  const world = await startWorld(folder);
  const stdio = ["ignore", "pipe", "ignore"] as ["ignore", "pipe", "ignore"];
  const child = Bun.spawn([BINARY, "run", "--config", world.config], { cwd: folder, stdio });
  const readLine = createLineReader(child.stdout);
  let url: string | undefined;
  while (url === undefined) url = /bind +(http\S+)/.exec(await readLine())?.[1];
  const operator_token = readFileSync(join(folder, "data", "operator.token"), "utf8").trim();
  return createSoakNode({
    url,
    operator_token,
    name: "`run`",
    pid: child.pid,
    live: () => Promise.reject(new Error("this node has the machine's clock")),
    end() {
      child.kill("SIGKILL");
      world.end();
    },
  });
}

/** The node of `run`, from source, on a clock that can be set. */
export async function startSetNode(folder: string): Promise<SoakNode> {
  const world = await startWorld(folder);
  const child = Bun.spawn([process.execPath, join(ROOT, "bench/soak-run.ts"), world.config, world.clock], {
    cwd: folder,
    env: QUIET_AFTER_1_S,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const readLine = createLineReader(child.stdout);
  const place = JSON.parse(await readLine()) as Place;
  let now_ms = Date.now();
  return createSoakNode({
    ...place,
    name: "`run`",
    pid: child.pid,
    async live(ms) {
      now_ms += ms;
      child.stdin.write(`${now_ms}\n`);
      await child.stdin.flush();
      await readLine();
    },
    end() {
      child.kill("SIGKILL");
      world.end();
    },
  });
}
