import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureProgram } from "./debian-package.ts";

/** Where Debian puts the sources of Go's packages. */
const SOURCES = "/usr/share/gocode";
const NOTE = join(SOURCES, "src/golang.org/x/mod/sumdb/note/note.go");

/** Why no program can be built that reads logs with Go's own packages; null where one can. */
export function whyNoGoLogs(): string | null {
  const missing = ensureProgram("go", "golang-go golang-golang-x-mod-dev");
  if (missing !== null) return missing;
  if (existsSync(NOTE)) return null;
  // Go is there from elsewhere, without these.
  ensureProgram(NOTE, "golang-golang-x-mod-dev");
  return existsSync(NOTE) ? null : "golang.org/x/mod is missing, and could not be installed";
}

/** Builds one file of Go without network, by the packages of Debian alone. @returns the program */
export function buildGo(source: string, folder: string): string {
  const program = join(folder, "program");
  const env = {
    ...process.env,
    GO111MODULE: "off",
    GOFLAGS: "",
    GOPATH: SOURCES,
    GOCACHE: join(folder, "cache"),
    GOTOOLCHAIN: "local",
    CGO_ENABLED: "0",
  };
  const built = Bun.spawnSync(["go", "build", "-o", program, source], { env, stdout: "pipe", stderr: "pipe" });
  if (built.exitCode !== 0) throw new Error(`${source} does not build: ${built.stderr.toString()}`);
  return program;
}
