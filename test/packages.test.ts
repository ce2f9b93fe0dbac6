import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noteSkipped } from "./helpers/debian-package.ts";
import { listBroken } from "./helpers/document-links.ts";
import { ROOT } from "./helpers/source-files.ts";

/** Files of whoever makes releases: they are in no release, and the documents say so. */
const OF_SOURCES = ["deploy/release.pub", "dist/release"];

let work = "";
let archive = "";
let deb: string | null = null;

function run(...words: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([...words], { cwd: ROOT, stdout: "ignore", stderr: "pipe" });
  expect({ words, exitCode, err: stderr.toString() }).toEqual({ words, exitCode: 0, err: "" });
}

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), "intel-node-packages-"));
  const beside = join(work, "beside");
  run(process.execPath, "src/tools/release-files.ts", beside);
  // What the program itself is does not matter here.
  writeFileSync(join(work, "intel-node"), "#!/bin/sh\n");
  writeFileSync(join(work, "unit"), "[Unit]\n");
  archive = join(work, "archive");
  mkdirSync(archive);
  run("cp", join(work, "intel-node"), archive);
  run("deploy/fill-archive.sh", beside, archive);
  if (Bun.which("dpkg-deb") === null) return noteSkipped("the package's documents", "dpkg-deb is not here");
  const file = join(work, "intel-node.deb");
  run(
    "env",
    "DEB_COMPRESSION=none",
    "deploy/build-deb.sh",
    join(work, "intel-node"),
    beside,
    join(work, "unit"),
    "amd64",
    "1.0.0",
    file,
  );
  run("dpkg-deb", "-x", file, join(work, "installed"));
  deb = join(work, "installed/usr/share/doc/intel-node");
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const listDocuments = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));

/** Links and paths that lead to nothing, as "document: link". */
function listDead(folder: string): readonly string[] {
  return listDocuments(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    // What became of the project is no guide: it names files of then.
    const paths = /^(CHANGELOG\.md|docs\/(history|adr|performance)\/)/.test(name) ? [] : listPaths(text);
    const dead = paths.filter((path) => !OF_SOURCES.includes(path) && !existsSync(join(folder, path)));
    return [...listBroken(join(folder, name)), ...dead].map((link) => `${name}: ${link}`);
  });
}

/** Paths below the folders that a release has; "one.{js,py}" is two. */
const listPaths = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w./-])((?:deploy|docs|dist)\/[\w./-]*\w)(?:\.\{([\w,]+)\})?/g)].flatMap(
    ([, path = "", ends]) => (ends === undefined ? [path] : ends.split(",").map((end) => `${path}.${end}`)),
  );

describe("what the documents name is there", () => {
  test("in an unpacked archive", () => {
    expect(listDocuments(archive).length).toBeGreaterThan(50);
    expect(listDead(archive)).toEqual([]);
    rmSync(join(archive, "deploy/grafana"), { recursive: true });
    rmSync(join(archive, "docs/agent.md"));
    const dead = listDead(archive);
    expect(dead).toContain("docs/operator/watching.md: deploy/grafana/intel-node.json");
    expect(dead.some((line) => line.endsWith("agent.md"))).toBe(true);
    run("cp", "-r", join(work, "beside/guide/deploy"), join(work, "beside/guide/docs"), archive);
  });

  test("in an installed package", () => {
    if (deb === null) return;
    expect(listDead(deb)).toEqual([]);
  });

  test("and the image is built from what an unpacked archive holds", () => {
    const file = join(archive, "deploy/Dockerfile");
    const text = readFileSync(file, "utf8");
    const build = /^# docker build -f (\S+) -t intel-node (\S+)$/m.exec(text);
    const [, dockerfile = "none", context = "none"] = build ?? [];
    expect(existsSync(join(archive, dockerfile))).toBe(true);
    const copied = [...text.matchAll(/^COPY (\S+) /gm)].map(([, path = ""]) => join(archive, context, path));
    expect([copied.length > 0, copied.filter((path) => !existsSync(path))]).toEqual([true, []]);
    expect(readFileSync(join(archive, "docs/operator/install.md"), "utf8")).toContain(
      `docker build -f ${dockerfile} -t intel-node ${context}`,
    );
  });
});
