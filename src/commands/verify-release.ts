import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { escapeInvisible } from "../core/foreign-text.ts";
import { describeOwnProgram, digestFile } from "../releases/own-program.ts";
import { BUILD, COMMIT, RELEASE_KEY } from "../releases/version.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError } from "./print.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export interface VerifyReleaseOptions {
  /** A git repository with the sources: a folder, or an address. */
  readonly source: string;
  readonly json: boolean;
}

/** The program cannot be compared with its sources. */
class UnverifiableError extends Error {
  override readonly name = "UnverifiableError";
}

/** Variables of the environment that a build reads: those to reach packages, and none that changes the program. */
const PASSED_ON = /^(?:path|home|tmpdir|user|ssl_cert_\w+|node_extra_ca_certs|https?_proxy|no_proxy|npm_config_\w+)$/i;
const SAID_CHARS = 2_000;

/**
 * Builds this program again from its sources and compares the two by SHA-256. Exit codes: 0 equal, 1 different, 2 not
 * comparable.
 */
export async function verifyReleaseCommand({ source, json }: VerifyReleaseOptions): Promise<number> {
  const folder = createTemporaryFolder("intel-node-verify-");
  try {
    const { sha256, ...facts } = await describeOwnProgram();
    assertBuildable(sha256);
    if (!json) printError(`building ${COMMIT} in ${folder.path}: a minute or two`);
    const built_sha256 = await digestFile(rebuild(source, folder.path));
    const verified = sha256 === built_sha256;
    const verdict = { verified, ...facts, sha256, built_sha256 };
    print(json ? JSON.stringify(verdict) : renderVerdict(verdict));
    return verified ? EXIT.ok : EXIT.failed;
  } catch (error) {
    if (!(error instanceof UnverifiableError)) throw error;
    printError(escapeInvisible(error.message));
    return EXIT.config;
  } finally {
    folder.remove();
  }
}

interface Verdict {
  readonly verified: boolean;
  readonly sha256: string;
  readonly built_sha256: string;
}
const renderVerdict = ({ verified, sha256, built_sha256 }: Verdict): string =>
  verified
    ? `verified: this program is what commit ${COMMIT} of these sources makes\nsha256  ${sha256}`
    : `DIFFERENT: commit ${COMMIT} of these sources makes another program\n` +
      `this one  ${sha256}\nbuilt     ${built_sha256}`;

function assertBuildable(sha256: string | null): asserts sha256 is string {
  if (sha256 === null) {
    throw new UnverifiableError("only a compiled program can be compared: this one runs from its sources");
  }
  if (COMMIT === "unknown" || COMMIT.endsWith("+changes")) {
    throw new UnverifiableError(`it was built from no commit (${COMMIT}), so nobody can build it again`);
  }
}

/** @returns path of the built program. */
function rebuild(source: string, folder: string): string {
  const sources = join(folder, "sources");
  run(["git", "clone", "--quiet", "--no-checkout", "--", source, sources], folder);
  run(["git", "checkout", "--quiet", "--detach", COMMIT], sources);
  if (BUILD === "local") {
    run(["./build.sh"], sources);
    return made(join(sources, "dist", "intel-node"));
  }
  run(["./build.sh", "release", BUILD], sources);
  const unpacked = join(folder, "unpacked");
  mkdirSync(unpacked);
  const archive = join(sources, "dist", "release", `intel-node-${BUILD}.tar.gz`);
  run(["tar", "-xzf", archive, "-C", unpacked, "--strip-components=1"], folder);
  return made(join(unpacked, "intel-node"));
}

function made(file: string): string {
  if (existsSync(file)) return file;
  throw new UnverifiableError(`${file} is not there: these sources build something else`);
}

/** @throws UnverifiableError with the program's last line of output when it fails, or when it is missing. */
function run(command: readonly string[], cwd: string): void {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)));
  // The public key of the original build, if it differs from that of the sources.
  if (RELEASE_KEY !== null) env.RELEASE_KEY = RELEASE_KEY;
  const name = command.slice(0, 2).join(" ");
  if (!command[0]?.startsWith("./") && Bun.which(command[0] ?? "") === null) {
    throw new UnverifiableError(`${command[0]} is needed and is not here`);
  }
  const child = Bun.spawnSync([...command], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  if (child.exitCode === 0) return;
  const said = `${child.stdout.toString()}${child.stderr.toString()}`.trim().slice(-SAID_CHARS);
  throw new UnverifiableError(`"${name}" failed (exit ${child.exitCode}): ${said}`);
}
