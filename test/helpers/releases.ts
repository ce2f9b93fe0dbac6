import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getOwnTarget } from "../../src/releases/fetch-release.ts";
import { createReleaseKeys, renderSignature } from "../../src/tools/sign-release.ts";

/**
 * The compiled program under another version of the same length: its text is changed where it stands, so that a second
 * release costs no second compilation.
 */
export function relabelProgram(from: string, to: string, [old, next]: readonly [string, string]): void {
  if (old.length !== next.length) throw new Error("versions of one length only");
  const bytes = readFileSync(from);
  const text = bytes.toString("latin1");
  const places = new RegExp(`version: ?"${old}"|\\x00\\x00\\x80[^]{4}${old}\\x00`, "g");
  for (const { 0: found, index } of text.matchAll(places)) bytes.write(found.replace(old, next), index, "latin1");
  writeFileSync(to, bytes, { mode: 0o755 });
}

export interface ReleaseServer {
  readonly url: string;
  /** The minisign public key that it signs with. */
  readonly public_key: string;
  /** Puts a program up as a release, and as the newest. */
  publish(release: { readonly version: string; readonly program: string; readonly ledger_schema?: number }): void;
  /** Changes a file after it was signed. */
  spoil(path: string, change: (bytes: Buffer) => Buffer | string): void;
  stop(): Promise<void>;
}

/** Schema of the ledger that the test's releases bring. */
const SCHEMA = 1_000;

/** A folder of signed releases behind a local server. */
export function startReleases(folder: string): ReleaseServer {
  const { secret, public_key } = createReleaseKeys();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const file = Bun.file(join(folder, new URL(request.url).pathname));
      return (await file.exists()) ? new Response(file) : new Response("", { status: 404 });
    },
  });
  const target = getOwnTarget();
  return {
    url: `http://127.0.0.1:${server.port}`,
    public_key,
    publish({ version, program, ledger_schema = SCHEMA }) {
      const name = `intel-node-${version}`;
      const [packed, at] = [join(folder, name), join(folder, `v${version}`)];
      for (const one of [packed, at, join(folder, "latest")]) mkdirSync(one, { recursive: true });
      copyFileSync(program, join(packed, "intel-node"));
      chmodSync(join(packed, "intel-node"), 0o755);
      // Not compressed: that would cost more than all the rest of the test.
      const file = `intel-node-${target}.tar`;
      const { exitCode } = Bun.spawnSync(["tar", "-C", folder, "-cf", join(at, file), name]);
      if (exitCode !== 0) throw new Error("tar");
      const bytes = readFileSync(join(at, file));
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const text = JSON.stringify({
        version,
        ledger_schema,
        archives: { [target]: { file, bytes: bytes.length, sha256 } },
      });
      for (const place of [at, join(folder, "latest")]) {
        writeFileSync(join(place, "release.json"), text);
        writeFileSync(join(place, "release.json.minisig"), renderSignature(Buffer.from(text), secret, `v${version}`));
      }
    },
    spoil(path, change) {
      writeFileSync(join(folder, path), change(readFileSync(join(folder, path))));
    },
    stop: () => server.stop(true),
  };
}
