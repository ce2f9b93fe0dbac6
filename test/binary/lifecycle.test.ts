import { afterAll, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { BINARY, cleanUp, newFolder, newPayer, payingFetch } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import {
  localPlugin,
  newNodeFolder,
  startFacilitator,
  startRun,
  startUpstream,
  stopRuns,
} from "../helpers/run-node.ts";
import { createPaymentPayload } from "../helpers/sign-for.ts";

afterAll(async () => {
  await stopRuns();
  await cleanUp();
});

const startAll = async (more = "", auth = "") => {
  const [facilitator, upstream] = [startFacilitator(), startUpstream()];
  const where = newNodeFolder([`url = "${facilitator.url}"\n${auth}`], more, localPlugin(upstream.url));
  const node = await startRun(where);
  const stop = () => Promise.all([facilitator.stop(), upstream.stop()]);
  return { facilitator, upstream, where, node, stop };
};

test("a stop settles the call in flight, refuses new ones, says what it waits for, and exits with 0", async () => {
  const { facilitator, node, stop } = await startAll();
  facilitator.state.settle_ms = 1_500;
  const url = node.url();
  const paying = payingFetch()(`${url}/local`);
  await until(() => facilitator.calls.settle === 1, "the settle call");
  node.signal("SIGTERM");
  await until(() => node.err().includes('"event":"stopping"'), "the stop");
  const late = await fetch(`${url}/live`).then(
    (response) => response.status,
    () => "refused",
  );
  expect(["refused", 503]).toContain(late);
  const answer = await paying;
  expect(answer.status).toBe(200);
  expect(answer.headers.get("X-Receipt-Id")).toStartWith("rcp_");
  expect(await node.exited()).toBe(0);
  expect(node.err()).toContain("waiting for 1 payments in flight");
  await stop();
});

test("a second signal stops at once with exit code 130", async () => {
  const { facilitator, node, stop } = await startAll();
  facilitator.state.settle_ms = 20_000;
  const paying = payingFetch()(`${node.url()}/local`).catch(() => null);
  await until(() => facilitator.calls.settle === 1, "the settle call");
  node.signal("SIGTERM");
  await until(() => node.err().includes('"event":"stopping"'), "the stop");
  node.signal("SIGTERM");
  expect(await node.exited()).toBe(130);
  await paying;
  await stop();
});

test("a data folder and a port have one owner each: a second node exits with 1 and says why", async () => {
  const { where, node, stop } = await startAll();
  const second = Bun.spawnSync([BINARY, "run", "--config", where.config], { cwd: where.folder });
  expect(second.exitCode).toBe(1);
  expect(second.stderr.toString()).toContain("Another intel-node");
  const port = new URL(node.url()).port;
  const other = newNodeFolder([], "");
  const taken = Bun.spawnSync([BINARY, "run", "--config", other.config], {
    cwd: other.folder,
    env: { ...process.env, INTEL_NODE_SERVER_PORT: port },
  });
  expect(taken.exitCode).toBe(1);
  await stop();
});

test("every request leaves one JSON line with its id, and a query is never in it", async () => {
  const { node, stop } = await startAll();
  const response = await fetch(`${node.url()}/receipts?limit=5`);
  const id = response.headers.get("X-Request-Id") ?? "";
  await until(() => node.err().includes(id), "the log line");
  const lines = node
    .err()
    .split("\n")
    .filter((line) => line.includes(id));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ event: "request", method: "GET", path: "/receipts", status: 200 });
  await stop();
});

test("secrets never reach an answer, a log line or the screen, and their files are the owner's only", async () => {
  const canaries = { key: "canary-key-8c1f", header: "canary-header-77aa" };
  const { node, facilitator, upstream, where, stop } = await startAll(
    `[providers.local_test]\napi_key = "${canaries.key}"\n[log]\nlevel = "debug"\n`,
    `headers = { "x-auth" = "${canaries.header}" }`,
  );
  const url = node.url();
  const paid = await payingFetch()(`${url}/local`);
  const token = await Bun.file(join(where.data, "operator.token")).text();
  const admin = await fetch(`${url}/admin/status`, { headers: { authorization: `Bearer ${token.trim()}` } });
  expect(admin.status).toBe(200);
  expect((await fetch(`${url}/admin/status`)).status).toBe(404);
  // Both secrets are really in use, or this test would show nothing.
  expect(upstream.state.keys).toContain(canaries.key);
  expect(facilitator.calls.headers).toContain(canaries.header);
  const answers = await Promise.all(
    ["/live", "/get-pricing", "/receipts", "/local", "/nowhere", "/local?x=1"].map(async (path) =>
      (await fetch(url + path)).text(),
    ),
  );
  const pem = await Bun.file(join(where.data, "node-key.pem")).text();
  node.signal("SIGTERM");
  await node.exited();
  const everything = [await paid.text(), await admin.text(), ...answers, node.out(), node.err()].join("\n");
  for (const secret of [canaries.key, canaries.header, token.trim(), pem.split("\n")[1] ?? pem]) {
    expect(everything).not.toContain(secret);
  }
  for (const name of ["operator.token", "node-key.pem"]) {
    expect(statSync(join(where.data, name)).mode & 0o777).toBe(0o600);
  }
  await stop();
});

test("SIGINT is a stop like SIGTERM", async () => {
  const { node, stop } = await startAll();
  expect((await fetch(`${node.url()}/live`)).status).toBe(200);
  node.signal("SIGINT");
  expect(await node.exited()).toBe(0);
  await stop();
});

test("a port that is taken ends the demo with 1 and names the port", async () => {
  const { node, stop } = await startAll();
  const { port } = new URL(node.url());
  const second = Bun.spawnSync([BINARY, "demo", "--serve", "--port", port], { cwd: newFolder() });
  expect(second.exitCode).toBe(1);
  expect(second.stderr.toString()).toContain(port);
  await stop();
});

test("a buyer who hangs up while it is settled pays once and fetches the answer with the same payment", async () => {
  const { facilitator, node, stop } = await startAll();
  const url = `${node.url()}/local`;
  await until(async () => (await fetch(url)).status === 402, "an offer");
  const headers = { "PAYMENT-SIGNATURE": await createPaymentPayload(await fetch(url), newPayer()) };
  facilitator.state.settle_ms = 300;
  const hanging = new AbortController();
  const gone = fetch(url, { headers, signal: hanging.signal }).catch(() => "gone");
  await until(() => facilitator.calls.settle === 1, "the settle call");
  hanging.abort();
  expect(await gone).toBe("gone");
  const answer = await fetch(url, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("X-Receipt-Id")).toStartWith("rcp_");
  expect(facilitator.calls.settle).toBe(1);
  await stop();
});

const unwritable = ["2>&-", ...(existsSync("/dev/full") ? ["2>/dev/full"] : [])];
test.each(unwritable)("a log that cannot be written (%s) costs no answer and no stop", async (redirect) => {
  const shell = ["sh", "-c", `exec "$0" demo --serve ${redirect}`, BINARY];
  const child = Bun.spawn(shell, { cwd: newFolder(), stdio: ["ignore", "pipe", "pipe"] });
  const { value } = await child.stdout.getReader().read();
  const { url } = JSON.parse(new TextDecoder().decode(value)) as { url: string };
  for (let call = 0; call < 50; call++) expect((await fetch(`${url}/live`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});
