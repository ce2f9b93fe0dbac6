import { expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

const PROGRAM = join(import.meta.dir, "..", "helpers", "buyer-urls.ts");

interface Socket {
  readonly address: string;
  readonly port: number;
}

/** Every address a program and its children began to connect to, as the kernel was told. */
function listSockets(trace: string): readonly Socket[] {
  const v4 = /connect\(\d+, \{sa_family=AF_INET, sin_port=htons\((\d+)\), sin_addr=inet_addr\("([^"]+)"\)/g;
  const v6 = /connect\(\d+, \{sa_family=AF_INET6, sin6_port=htons\((\d+)\).*?inet_pton\(AF_INET6, "([^"]+)"/g;
  return [v4, v6].flatMap((form) =>
    [...trace.matchAll(form)].map(([, port = "", address = ""]) => ({ address, port: Number(port) })),
  );
}

test.skipIf(Bun.which("strace") === null)(
  "of a node's sockets, those a buyer's address leads to are the guarded fetch's, and no others leave this machine",
  () => {
    const out = join(process.env.TMPDIR ?? "/tmp", `sockets-${process.pid}.trace`);
    const tracer = ["strace", "-f", "--seccomp-bpf", "-e", "trace=connect", "-o", out];
    const child = Bun.spawnSync([...tracer, process.execPath, PROGRAM], { stdout: "pipe", stderr: "pipe" });
    const trace = readFileSync(out, "utf8");
    rmSync(out);
    const line = child.stdout.toString().trim().split("\n").at(-1) ?? "";
    if (child.exitCode !== 0) throw new Error(child.stderr.toString().slice(-2_000));
    const said = JSON.parse(line);
    const sockets = listSockets(trace);
    // A name is told by the test's own name server alone: whoever asked another one would show up here.
    expect(sockets.filter(({ address }) => !["127.0.0.1", "127.0.0.2"].includes(address))).toEqual([]);
    const inside = [said.internal_port, said.peer_port];
    expect(sockets.filter(({ address, port }) => address === "127.0.0.1" && inside.includes(port))).toEqual([]);
    expect(said.internal_connections).toBe(0);
    const strangers = sockets.filter(({ address }) => address === "127.0.0.2");
    expect(strangers.every(({ port }) => port === said.peer_port)).toBe(true);
    expect(strangers).toHaveLength(said.peer_connections);
    expect(strangers.length).toBeGreaterThan(3);
    const { [`peer.wide.net:${said.peer_port}/live`]: good, ...bad } = said.statuses;
    expect(good).toEqual([200, 200]);
    for (const [relayed] of Object.values(bad) as (readonly number[])[])
      expect([422, 503]).toContain(relayed as number);
  },
);
