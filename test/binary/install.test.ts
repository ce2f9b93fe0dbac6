import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { listCommands } from "../../src/commands/command-table.ts";
import { checkMinisign, parseReleaseKey } from "../../src/releases/minisign.ts";
import { compareVersions, readRelease } from "../../src/releases/release-file.ts";
import { renderReleaseJSON, writeFilesBeside } from "../../src/tools/release-files.ts";
import { renderFish, renderZsh } from "../../src/tools/render-completions.ts";
import { renderMan } from "../../src/tools/render-man.ts";
import { renderSBOM } from "../../src/tools/render-sbom.ts";
import { createReleaseKeys, renderSignature } from "../../src/tools/sign-release.ts";
import { noteSkipped } from "../helpers/debian-package.ts";
import { BINARY, cleanUp, newFolder } from "../helpers/demo-node.ts";
import { EFFORT } from "../helpers/effort.ts";

const ROOT = join(import.meta.dir, "../..");
afterAll(cleanUp);

async function run(program: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const stdio = ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"];
  const child = Bun.spawn([...program], { cwd, stdio, env: { ...process.env, ...env } });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}

describe("what is generated from the command line", () => {
  const commands = listCommands();

  test("names every command and option", () => {
    const man = renderMan(commands, "1.2.3").replaceAll("\\-", "-");
    const fish = renderFish(commands);
    const names = commands.map(({ words }) => words.join(" "));
    expect(names).toContain("upgrade");
    expect(names).toContain("keys top-up");
    const all = commands.flatMap(({ words, options }) => [
      ...[`intel-node ${words.join(" ")}`],
      ...options.flatMap(({ flags }) => flags.filter((flag) => flag.startsWith("--") && flag !== "--help")),
    ]);
    expect(all.filter((text) => !man.includes(text))).toEqual([]);
    const words = commands.flatMap((one) => one.words.slice(-1));
    expect(words.filter((word) => !fish.includes(`-a ${word} `))).toEqual([]);
  });

  test("bash completes commands, options and files", async () => {
    const folder = newFolder();
    writeFilesBeside(folder);
    writeFileSync(join(folder, "some.toml"), "");
    const ask = async (...words: readonly string[]) => {
      const typed = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}`;
      const script = `source ./intel-node.bash; ${typed}; _intel_node; echo "\${COMPREPLY[*]}"`;
      return (await run(["bash", "-c", script], folder)).out.trim().split(" ");
    };
    expect(await ask("intel-node", "upg")).toEqual(["upgrade"]);
    expect(await ask("intel-node", "keys", "to")).toEqual(["top-up"]);
    expect(await ask("intel-node", "check", "--on")).toEqual(["--online"]);
    expect(await ask("intel-node", "run", "--config", "so")).toEqual(["some.toml"]);
    expect(renderZsh(commands)).toContain("'keys top-up') wanted=(");
  });
});

test("the bill of materials names every package once, with licence and digest, and is the same each time", () => {
  const text = renderSBOM(ROOT);
  const { bomFormat, components } = JSON.parse(text) as {
    readonly bomFormat: string;
    readonly components: readonly { readonly purl: string; readonly licenses?: unknown; readonly hashes?: unknown }[];
  };
  expect(bomFormat).toBe("CycloneDX");
  expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length);
  expect(components.some(({ purl }) => purl.startsWith("pkg:npm/elysia@"))).toBe(true);
  expect(components.some(({ purl }) => purl.startsWith("pkg:npm/playwright-core@"))).toBe(false);
  expect(components.filter(({ hashes }) => hashes === undefined).map(({ purl }) => purl)).toEqual([]);
  expect(renderSBOM(ROOT)).toBe(text);
});

test("a minisign signature by another key, of another text, or with a changed comment is refused", () => {
  // Of minisign's own documentation: jedisct1.github.io/minisign.
  const documented = parseReleaseKey("RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3");
  expect(documented.id).toBe("1fe8b442180f62e7");
  const { secret, public_key } = createReleaseKeys();
  const [key, file] = [parseReleaseKey(public_key), Buffer.from("a release")];
  const signature = renderSignature(file, secret, "v1.2.3");
  expect(checkMinisign(file, signature, key)).toBe("v1.2.3");
  expect(() => checkMinisign(Buffer.from("b release"), signature, key)).toThrow("does not fit the file");
  expect(() => checkMinisign(file, signature.replace("v1.2.3", "v1.2.4"), key)).toThrow("comment is not signed");
  expect(() => checkMinisign(file, signature, documented)).toThrow("signed with another key");
  expect(() => checkMinisign(file, "nothing", key)).toThrow("malformed");
  expect(["1.10.0", "1.9.0", "1.9.0-rc.1", "1.9.0-rc.2"].sort(compareVersions)).toEqual([
    ...["1.9.0-rc.1", "1.9.0-rc.2", "1.9.0", "1.10.0"],
  ]);
});

test("install.sh has at most 60 lines, installs what the digest fits, and nothing else", async () => {
  const script = join(ROOT, "deploy/install.sh");
  expect(readFileSync(script, "utf8").trim().split("\n").length).toBeLessThanOrEqual(60);
  const folder = newFolder();
  const latest = join(folder, "www", "latest");
  mkdirSync(join(folder, "intel-node-x"), { recursive: true });
  mkdirSync(latest, { recursive: true });
  const program = join(folder, "intel-node-x", "intel-node");
  writeFileSync(program, "#!/bin/sh\necho 1.2.3\n");
  chmodSync(program, 0o755);
  for (const target of ["linux-x64", "linux-x64-baseline", "linux-arm64", "darwin-arm64", "darwin-x64"]) {
    const archive = join(latest, `intel-node-${target}.tar.gz`);
    expect((await run(["tar", "-C", folder, "-czf", archive, "intel-node-x"], folder)).code).toBe(0);
  }
  const release = readRelease(JSON.parse(renderReleaseJSON(latest)));
  const { bytes, sha256 } = release?.archives["linux-x64-baseline"] ?? {};
  const packed = readFileSync(join(latest, "intel-node-linux-x64-baseline.tar.gz"));
  expect({ bytes, sha256 }).toEqual({
    bytes: packed.length,
    sha256: new Bun.CryptoHasher("sha256").update(packed).digest("hex"),
  });
  const sums = await run(["sh", "-c", "sha256sum intel-node-*.tar.gz > SHA256SUMS"], latest);
  expect(sums.code).toBe(0);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const file = Bun.file(join(folder, "www", new URL(request.url).pathname));
      return (await file.exists()) ? new Response(file) : new Response("", { status: 404 });
    },
  });
  const install = (to: string) => run(["sh", script, `http://127.0.0.1:${server.port}`, join(folder, to)], folder);
  const good = await install("good");
  expect({ code: good.code, out: good.out.startsWith("1.2.3 is in ") || good.err }).toEqual({ code: 0, out: true });
  expect(statSync(join(folder, "good", "intel-node")).mode & 0o777).toBe(0o755);
  // A system of musl's is told by its own ldd: the library alone may be installed on any.
  const tools = join(folder, "tools");
  mkdirSync(tools);
  writeFileSync(join(tools, "ldd"), "#!/bin/sh\necho 'musl libc (x86_64)' >&2\nexit 1\n", { mode: 0o755 });
  const other = await run(["sh", script, `http://127.0.0.1:${server.port}`, join(folder, "other")], folder, {
    PATH: `${tools}:${process.env.PATH ?? ""}`,
  });
  expect({ code: other.code, says: other.err.includes("-musl.tar.gz") || other.err }).toEqual({ code: 1, says: true });
  const wrong = readFileSync(join(latest, "SHA256SUMS"), "utf8").replace(/^./gm, (digit) =>
    digit === "0" ? "1" : "0",
  );
  writeFileSync(join(latest, "SHA256SUMS"), wrong);
  const bad = await install("bad");
  expect({ code: bad.code, says: bad.err.includes("another digest") || bad.err }).toEqual({ code: 1, says: true });
  expect(existsSync(join(folder, "bad"))).toBe(false);
  await server.stop(true);
});

test.skipIf(EFFORT !== "long")(
  "the Debian package is installed, run, upgraded and purged, and starts nothing by itself",
  async () => {
    const folder = newFolder();
    const beside = join(folder, "beside");
    await run([process.execPath, "src/tools/release-files.ts", beside], ROOT);
    const unit = await run([process.execPath, "src/node.ts", "init", "--systemd", "--out", "/nowhere/node.toml"], ROOT);
    writeFileSync(join(folder, "unit"), unit.out);
    const build = async (version: string) => {
      const out = join(folder, `${version}.deb`);
      const args = [BINARY, beside, join(folder, "unit"), process.arch === "arm64" ? "arm64" : "amd64", version, out];
      const { code, err } = await run(["deploy/build-deb.sh", ...args], ROOT, { DEB_COMPRESSION: "none" });
      expect({ code, err }).toEqual({ code: 0, err: "" });
      return out;
    };
    const [first, second] = [await build("1.0.0"), await build("1.0.1")];
    // This machine's own system under a layer that takes every change.
    for (const name of ["upper", "work", "root"]) mkdirSync(join(folder, "layer", name), { recursive: true });
    const root = join(folder, "layer", "root");
    const layers = `lowerdir=/,upperdir=${join(folder, "layer/upper")},workdir=${join(folder, "layer/work")}`;
    const mounted = await run(["mount", "-t", "overlay", "overlay", "-o", layers, root], folder);
    if (mounted.code !== 0) return noteSkipped("the Debian package", `no overlay: ${mounted.err.trim()}`);
    const binds = ["/proc", "/dev"];
    for (const path of binds) await run(["mount", "--bind", path, join(root, path)], folder);
    try {
      const inside = (...words: readonly string[]) => run(["chroot", root, ...words], folder);
      // What is below /tmp here is on another disk.
      mkdirSync(join(root, "tmp"), { recursive: true, mode: 0o1777 });
      chmodSync(join(root, "tmp"), 0o1777);
      const put = async (deb: string) => {
        cpSync(deb, join(root, "tmp/intel-node.deb"));
        return inside("dpkg", "--force-depends", "-i", "/tmp/intel-node.deb");
      };
      const installed = await put(first);
      expect({ code: installed.code, says: installed.out.includes("not started") || installed.err }).toEqual({
        code: 0,
        says: true,
      });
      expect((await inside("intel-node", "version")).code).toBe(0);
      expect((await inside("intel-node", "check", "--config", "/etc/intel-node/node.toml")).code).toBe(0);
      expect((await inside("stat", "-c", "%U %a", "/var/lib/intel-node")).out).toBe("intel-node 700\n");
      expect((await inside("stat", "-c", "%G %a", "/etc/intel-node/node.toml")).out).toBe("intel-node 640\n");
      const demo = await inside(
        "runuser",
        "-u",
        "intel-node",
        "--",
        "env",
        "TMPDIR=/tmp",
        "intel-node",
        "demo",
        "--json",
        "--history-days",
        "1",
      );
      expect({ code: demo.code, err: demo.code === 0 ? "" : demo.err.slice(-500) }).toEqual({ code: 0, err: "" });
      const conffile = join(root, "etc/intel-node/node.toml");
      writeFileSync(conffile, `${readFileSync(conffile, "utf8")}# mine\n`);
      expect((await put(second)).code).toBe(0);
      expect(readFileSync(conffile, "utf8")).toContain("# mine");
      expect((await inside("dpkg", "--purge", "--force-depends", "intel-node")).code).toBe(0);
      expect([existsSync(conffile), existsSync(join(root, "usr/bin/intel-node"))]).toEqual([false, false]);
    } finally {
      for (const path of [...binds.map((one) => join(root, one)), root]) await run(["umount", path], folder);
    }
  },
);

test.skipIf(EFFORT !== "long")(
  "the same commit gives the same program, byte for byte, wherever it is built",
  async () => {
    // Beside this checkout: hard links do not cross disks.
    const folder = mkdtempSync(join(ROOT, ".tmp-equal-"));
    const digests: string[] = [];
    for (const name of ["one", "two/that/lies/deeper"]) {
      const place = join(folder, name);
      const copied = await run(["git", "worktree", "add", "--detach", place, "HEAD"], ROOT);
      if (copied.code !== 0) return noteSkipped("equal programs", "this is no git checkout");
      try {
        // Packages of its own, as a clone has them: of linked ones the program would tell how deep the link is.
        const packages = realpathSync(join(ROOT, "node_modules"));
        const linked = await run(["cp", "-al", packages, join(place, "node_modules")], folder);
        if (linked.code !== 0) return noteSkipped("equal programs", "packages are on another disk than the copies");
        const { code, err } = await run(["./build.sh"], place, { BUN: process.execPath });
        expect({ code, err: code === 0 ? "" : err.slice(-500) }).toEqual({ code: 0, err: "" });
        digests.push(readFileSync(join(place, "dist/intel-node.sha256"), "utf8"));
      } finally {
        await run(["git", "worktree", "remove", "--force", place], ROOT);
      }
    }
    rmSync(folder, { recursive: true, force: true });
    expect(digests[1]).toBe(digests[0] ?? "");
  },
);
