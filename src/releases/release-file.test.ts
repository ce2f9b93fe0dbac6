import { expect, test } from "bun:test";
import { targetOf } from "./release-file.ts";

const GLIBC = "7f00-7f01 r-xp 00000000 fe:00 1 /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2\n";
const MUSL = "7f00-7f01 r-xp 00000000 fe:00 1 /lib/ld-musl-x86_64.so.1\n";
const NEW = "flags\t\t: fpu sse4_2 avx avx2 bmi2\n";
const OLD = "flags\t\t: fpu sse4_2 avx\n";

test.each([
  ["linux", "x64", { maps: GLIBC, cpu: NEW }, "linux-x64"],
  ["linux", "x64", { maps: GLIBC, cpu: OLD }, "linux-x64-baseline"],
  ["linux", "x64", { maps: MUSL, cpu: OLD }, "linux-x64-musl"],
  ["linux", "arm64", { maps: GLIBC, cpu: "Features\t: fp asimd\n" }, "linux-arm64"],
  // Without /proc nothing is known against the usual one.
  ["linux", "x64", { maps: "", cpu: "" }, "linux-x64"],
  ["darwin", "arm64", { maps: "", cpu: "" }, "darwin-arm64"],
  ["win32", "x64", { maps: "", cpu: "" }, "windows-x64"],
] as const)(
  "%s %s: the archive fits the program that runs, whatever else is installed",
  (system, arch, facts, target) => {
    expect(targetOf(system, arch, facts)).toBe(target);
  },
);
