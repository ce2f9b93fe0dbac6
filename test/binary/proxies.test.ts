import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { cleanUp, type DemoNode, newFolder, payingFetch, startDemo } from "../helpers/demo-node.ts";
import { freePort, localPlugin, newNodeFolder, startRun, stopRuns, until } from "../helpers/run-node.ts";

/** The proxies of docs/operator.md, with the very files it shows, in front of a node that sells. */
const SALES = process.env.TEST_LONG === "1" ? 1_000 : 5;

interface Proxy {
  readonly name: string;
  readonly package: string;
  /** The documented file, for these ports. */
  readonly file: (documented: string, ports: { listen: number; node: string }) => string;
  readonly command: (file: string, folder: string) => readonly string[];
}

const PROXIES: readonly Proxy[] = [
  {
    name: "nginx",
    package: "nginx-light",
    file: (text, { listen, node }) =>
      `daemon off;\nworker_processes 1;\npid /dev/null;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${text
        .replace("listen 80;", `listen 127.0.0.1:${listen};`)
        .replace("127.0.0.1:8402", node)}\n}\n`,
    command: (file, folder) => ["nginx", "-p", folder, "-c", file],
  },
  {
    name: "caddy",
    package: "caddy",
    file: (text, { listen, node }) =>
      `{\n  admin off\n  auto_https off\n}\n${text
        .replace("node.example.com", `http://127.0.0.1:${listen}`)
        .replace("127.0.0.1:8402", node)}`,
    command: (file) => ["caddy", "run", "--config", file, "--adapter", "caddyfile"],
  },
  {
    name: "haproxy",
    package: "haproxy",
    file: (text, { listen, node }) =>
      text.replace("bind :80", `bind 127.0.0.1:${listen}`).replace("127.0.0.1:8402", node),
    command: (file) => ["haproxy", "-db", "-f", file],
  },
];

const documented = (language: string): string => {
  const text = readFileSync(join(import.meta.dir, "../../docs/operator.md"), "utf8");
  const block = new RegExp(`\`\`\`${language}\n([\\s\\S]+?)\`\`\``).exec(text)?.[1];
  if (block === undefined) throw new Error(`docs/operator.md shows no file for ${language}`);
  return block;
};

let node: DemoNode;
const children: Bun.Subprocess[] = [];

beforeAll(async () => {
  node = await startDemo();
}, 60_000);
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(children.map(({ exited }) => exited));
  await stopRuns();
  await cleanUp();
});

/** Starts a proxy in front of an address. @returns its own address, or null where it cannot be had. */
async function startProxy({ name, package: debian_package, file, command }: Proxy, target: string) {
  const missing = ensureProgram(name, debian_package);
  if (missing !== null) {
    noteSkipped(`${name} in front of the node`, missing);
    return null;
  }
  const folder = newFolder(`proxy-${name}-`);
  const listen = await freePort();
  const path = join(folder, name);
  writeFileSync(path, file(documented(name), { listen, node: new URL(target).host }));
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = Bun.spawn([...command(path, folder)], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
  children.push(child);
  const url = `http://127.0.0.1:${listen}`;
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(async () => (await isUp()) || child.exitCode !== null, `${name} in front of the node`);
  if (child.exitCode !== null) throw new Error(`${name}: ${await new Response(child.stderr).text()}`);
  return url;
}

describe.each(PROXIES)("behind $name, set up as docs/operator.md says", (proxy) => {
  let url: string | null = null;
  beforeAll(async () => {
    url = await startProxy(proxy, node.url);
  }, 120_000);

  test("every product shows its price", async () => {
    if (url === null) return;
    const { products } = (await (await fetch(`${node.url}/get-pricing`)).json()) as { products: { path: string }[] };
    expect(products.length).toBeGreaterThan(20);
    for (const { path } of products) expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 402]);
  });

  test("calls are bought", async () => {
    if (url === null) return;
    const pay = payingFetch();
    for (let sold = 0; sold < SALES; sold += 1) {
      const response = await pay(`${url}/fear-greed`);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  }, 600_000);

  test("the node learns the client, and its sandbox stays shut", async () => {
    if (url === null) return;
    expect((await fetch(`${url}/__sandbox`)).status).toBeGreaterThanOrEqual(400);
    await until(() => node.log().includes('"event":"untrusted_proxy"'), "the warning");
  });
});

test("an upgrade behind Caddy, set up as docs/operator.md says, loses no call", async () => {
  const where = newNodeFolder([], "", localPlugin("http://127.0.0.1:9"));
  const port = await freePort();
  writeFileSync(where.config, readFileSync(where.config, "utf8").replace("port = 0", `port = ${port}`));
  const before = await startRun(where);
  const caddy = PROXIES.find(({ name }) => name === "caddy");
  const url = caddy ? await startProxy(caddy, before.url()) : null;
  if (url === null) return;
  const statuses: number[] = [];
  let is_over = false;
  const keepCalling = async () => {
    while (!is_over) {
      const response = await fetch(`${url}/get-pricing`);
      await response.arrayBuffer();
      statuses.push(response.status);
      await Bun.sleep(2);
    }
  };
  const callers = Array.from({ length: 8 }, keepCalling);
  await until(() => statuses.length > 50, "calls before the upgrade");
  before.signal("SIGTERM");
  expect(await before.exited()).toBe(0);
  const after = await startRun(where);
  const seen = statuses.length;
  await until(() => statuses.length > seen + 50, "calls after the upgrade");
  is_over = true;
  await Promise.all(callers);
  expect(after.pid).not.toBe(before.pid);
  expect(new Set(statuses)).toEqual(new Set([200]));
}, 120_000);
