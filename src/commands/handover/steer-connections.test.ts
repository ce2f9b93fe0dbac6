import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countListeners, steerToSecond } from "./steer-connections.ts";

const HAS_STEERING = process.platform === "linux";

/** A kernel's files on this process's sockets, with the given tables. */
function playKernel(tables: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "kernel-"));
  mkdirSync(join(folder, "net"));
  for (const name of tables) writeFileSync(join(folder, "net", name), readFileSync(`/proc/self/net/${name}`));
  return folder;
}

const listen = () => Bun.serve({ hostname: "127.0.0.1", port: 0, reusePort: true, fetch: () => new Response() });

test.if(HAS_STEERING)("a kernel without IPv6 tells who listens, and steers as any other", async () => {
  const server = listen();
  const port = server.port ?? 0;
  const kernel = playKernel(["tcp"]);
  expect([countListeners(port, kernel), steerToSecond(port, kernel)]).toEqual([1, null]);
  await server.stop(true);
  rmSync(kernel, { recursive: true });
});

test.if(HAS_STEERING)("what keeps connections from being steered is told", async () => {
  const server = listen();
  const kernel = playKernel([]);
  expect(countListeners(server.port ?? 0, kernel)).toBeNull();
  expect(steerToSecond(server.port ?? 0, kernel)).toStartWith("there is no ");
  await server.stop(true);
  expect(steerToSecond(server.port ?? 0)).toBe("the listening socket was not found");
  rmSync(kernel, { recursive: true });
});
