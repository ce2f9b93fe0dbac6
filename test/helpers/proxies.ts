import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureProgram, noteSkipped } from "./debian-package.ts";
import { until } from "./hang-limit.ts";
import { freePort } from "./run-node.ts";

/** The proxies of docs/operator/proxy.md, started with the very files it shows. */
export interface Proxy {
  readonly name: string;
  readonly package: string;
  /** The documented file, for these ports; for one behind another proxy on this machine, with the lines that takes. */
  readonly file: (documented: string, at: { listen: number; node: string; is_behind: boolean }) => string;
  readonly command: (file: string, folder: string) => readonly string[];
}

export const PROXIES: readonly Proxy[] = [
  {
    name: "nginx",
    package: "nginx",
    file: (text, { listen, node }) =>
      `daemon off;\nworker_processes 1;\npid /dev/null;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${text
        .replace("listen 80;", `listen 127.0.0.1:${listen};`)
        .replace("127.0.0.1:8402", node)}\n}\n`,
    command: (file, folder) => ["nginx", "-p", folder, "-c", file],
  },
  {
    name: "caddy",
    package: "caddy",
    file: (text, { listen, node, is_behind }) =>
      `{\n  admin off\n  auto_https off\n}\n${text
        .replace("node.example.com", `http://127.0.0.1:${listen}`)
        .replace(/127\.0\.0\.1:8402 \{\n/, `${node} {\n${is_behind ? believeThisMachine() : ""}`)}`,
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
  const text = readFileSync(join(import.meta.dir, "../../docs/operator/proxy.md"), "utf8");
  const block = new RegExp(`\`\`\`${language}\n([\\s\\S]+?)\`\`\``).exec(text)?.[1];
  if (block === undefined) throw new Error(`docs/operator/proxy.md shows no file for ${language}`);
  return block;
};

/** The line of a Caddy behind Cloudflare, with this machine in Cloudflare's place. */
const believeThisMachine = (): string =>
  documented("caddyfile").replace(/trusted_proxies .*/, "trusted_proxies 127.0.0.1/32");

const running: { readonly child: Bun.Subprocess; readonly folder: string }[] = [];

/**
 * Starts a proxy in front of an address.
 * @param is_behind whether whoever calls it from this machine is believed to be a proxy, too.
 * @returns its own address, or null where it cannot be had.
 */
export async function startProxy(proxy: Proxy, target: string, is_behind = false): Promise<string | null> {
  const { name, package: debian_package, file, command } = proxy;
  const missing = ensureProgram(name, debian_package);
  if (missing !== null) {
    noteSkipped(`${name} in front of the node`, missing);
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), `proxy-${name}-`));
  const listen = await freePort();
  const path = join(folder, name);
  writeFileSync(path, file(documented(name), { listen, node: new URL(target).host, is_behind }));
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = Bun.spawn([...command(path, folder)], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
  running.push({ child, folder });
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

/** Ends every proxy of this process. */
export async function stopProxies(): Promise<void> {
  for (const { child, folder } of running.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  }
}
