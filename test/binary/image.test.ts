import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureProgram, noteSkipped } from "../helpers/debian-package.ts";
import { BINARY, cleanUp, newFolder } from "../helpers/demo-node.ts";
import { EFFORT } from "../helpers/effort.ts";
import { until } from "../helpers/hang-limit.ts";

/**
 * The image of deploy/Dockerfile, built by Buildah and run by Podman, as Debian packages them. Its base is made by
 * debootstrap instead of being fetched, and given the name the Dockerfile asks for.
 */
const ROOT = join(import.meta.dir, "../..");
const BASE = "docker.io/library/debian:stable-slim";
const TOOLS = ["debootstrap", "buildah", "podman", "runc"];
const UID = 8402;
afterAll(cleanUp);

async function run(program: readonly string[], env: Record<string, string> = {}) {
  const stdio = ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"];
  const child = Bun.spawn([...program], { cwd: ROOT, stdio, env: { ...process.env, ...env } });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out: out.trim(), err };
}

test.skipIf(EFFORT !== "long")(
  "the image is built and run: no root, no capability, nothing to write on but its volume, healthy, and it sells",
  async () => {
    for (const tool of TOOLS) {
      const missing = ensureProgram(tool, tool);
      if (missing !== null) return noteSkipped("the image", missing);
    }
    const folder = newFolder();
    const tmp = join(folder, "tmp");
    mkdirSync(tmp);
    const of = (name: string) => join(folder, name);
    const store = ["--root", of("store"), "--runroot", of("running")];
    const env = { TMPDIR: tmp };
    const good = async (...program: readonly string[]): Promise<string> => {
      const { code, out, err } = await run(program, env);
      expect({ program, code, err: code === 0 ? "" : err.slice(-600) }).toEqual({ program, code: 0, err: "" });
      return out;
    };
    const buildah = (verb: string, ...words: readonly string[]) => good("buildah", ...store, verb, ...words);
    const podman = [...["podman", ...store, "--runtime=runc"], "--cgroup-manager=cgroupfs", "--events-backend=file"];

    const made = await run(["debootstrap", "--variant=minbase", "stable", of("base")]);
    if (made.code !== 0) return noteSkipped("the image", `no base system: ${made.err.trim().slice(-200)}`);
    const base = await buildah("from", "scratch");
    await buildah("add", "--quiet", base, of("base"), "/");
    await buildah("commit", "--quiet", base, BASE);
    await buildah("rm", base);
    mkdirSync(of("context"));
    cpSync(BINARY, of("context/intel-node"));
    const from = [
      "--isolation=chroot",
      "--pull-never",
      "--format=docker",
      "-f",
      "deploy/Dockerfile",
      "-t",
      "intel-node",
    ];
    await buildah("bud", ...from, of("context"));

    const config = of("node.toml");
    writeFileSync(config, '[server]\nhost = "0.0.0.0"\nport = 8402\n[data]\ndir = "/data"\n', { mode: 0o644 });
    const limits = ["--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024", "--no-healthcheck", "--network=none"];
    const mounts = ["--read-only", "--tmpfs=/tmp", "-v", "data:/data", "-v", `${config}:/etc/intel-node/node.toml:ro`];
    const started = await run([...podman, "run", "-d", "--name=node", ...limits, ...mounts, "intel-node"], env);
    // Such as a kernel without the groups that runc asks for.
    if (started.code !== 0) return noteSkipped("the image's container", started.err.trim().slice(-300));
    try {
      const inside = (...words: readonly string[]) => run([...podman, "exec", "node", ...words], env);
      // No systemd here that would run it every ten seconds: the image's own words, until they hold.
      const words = await good(...podman, "image", "inspect", "intel-node", "--format", "{{json .HealthCheck.Test}}");
      const [kind, ...check] = JSON.parse(words) as readonly string[];
      expect(kind).toBe("CMD");
      await until(async () => (await inside(...check)).code === 0, "the image's health check to hold", 100);
      const status = (await inside("cat", "/proc/1/status")).out;
      expect(status).toMatch(new RegExp(`^Uid:\\s+${UID}\\s+${UID}\\s+${UID}\\s+${UID}$`, "m"));
      expect(status).toMatch(/^CapEff:\s+0+$/m);
      expect((await inside("touch", "/usr/bin/x")).err).toContain("Read-only file system");
      expect((await inside("ls", "/data")).out.split("\n")).toContain("ledger.db");
      const sold = await inside("env", "TMPDIR=/tmp", "intel-node", "demo", "--json", "--history-days", "1");
      expect({ code: sold.code, last: sold.out.split("\n").at(-1) }).toEqual({
        code: 0,
        last: '{"event":"done","ok":true}',
      });
      await good(...podman, "stop", "--time=30", "node");
      const code = await good(...podman, "inspect", "node", "--format", "{{.State.ExitCode}}");
      expect(code).toBe("0");
    } finally {
      await run([...podman, "rm", "--force", "node"], env);
    }
  },
);
