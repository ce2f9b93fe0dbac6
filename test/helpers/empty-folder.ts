import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Every call that leaves this machine goes to a proxy that is not there. */
const OFFLINE = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
};

/** The program as it stands in the sources, started in a folder of its own. */
export interface StartedProgram {
  /** What the screen says, once it says it; the first group of the pattern. */
  find(pattern: RegExp): Promise<string>;
  signal(name: "SIGTERM"): void;
  /** Its exit code and what it said of its end. */
  readonly ended: Promise<{ readonly code: number; readonly err: string }>;
}

export const newEmptyFolder = (): string => mkdtempSync(join(tmpdir(), "setup-"));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

export function startProgram(folder: string, args: readonly string[] = ["run"]): StartedProgram {
  const child = Bun.spawn([process.execPath, resolve("src/node.ts"), ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...OFFLINE, INTEL_NODE_SERVER_PORT: "0" },
  });
  let out = "";
  const waiting: (() => void)[] = [];
  const read = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      out += decoder.decode(chunk, { stream: true });
      for (const look of waiting) look();
    }
  })();
  const err = child.stderr.text();
  return {
    find: (pattern) =>
      new Promise((done) => {
        const look = () => {
          const found = pattern.exec(out)?.[1];
          if (found !== undefined) done(found);
        };
        waiting.push(look);
        look();
      }),
    signal: (name) => child.kill(name),
    ended: (async () => {
      const code = await child.exited;
      await read;
      return { code, err: await err };
    })(),
  };
}
