import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { BINARY, cleanUp, payingFetch, startDemo } from "../helpers/demo-node.ts";
import { until } from "../helpers/hang-limit.ts";
import { localPlugin, newNodeFolder, startRun, startUpstream, stopRuns } from "../helpers/run-node.ts";

/** What the operator learns from the log and the command line about sales, keys and products that fail. */
let upstream: ReturnType<typeof startUpstream>;

beforeAll(() => {
  upstream = startUpstream();
});
afterAll(async () => {
  await stopRuns();
  await upstream.stop();
  await cleanUp();
});

const call = (args: readonly string[], cwd: string) => {
  const child = Bun.spawnSync([BINARY, ...args], { cwd, env: { PATH: process.env.PATH ?? "" }, stdin: "ignore" });
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() };
};
const today = (): string => new Date().toISOString().slice(0, 10);

test("every sale is a line in the log, and one of the command sales", async () => {
  const node = await startDemo();
  const pay = payingFetch();
  const answers = [await pay(`${node.url}/fear-greed`), await pay(`${node.url}/mempool`)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await until(() => (node.log().match(/"event":"sale"/g) ?? []).length === 2, "both lines");
  const logged = node
    .log()
    .split("\n")
    .filter((line) => line.includes('"event":"sale"'))
    .map((line) => JSON.parse(line));
  expect(logged.map(({ request_id }) => request_id)).toEqual(answers.map(({ headers }) => headers.get("x-request-id")));
  expect(logged[0]).toMatchObject({ product: "fear-greed", network: "eip155:84532", amount_usd: "0.01" });

  const period = ["--from", today(), "--to", today(), "--data", node.data];
  const { sales } = JSON.parse(call(["sales", ...period, "--json"], node.data).out) as { sales: unknown[] };
  expect(sales).toEqual(
    logged.map(({ product, payer, network, transaction, receipt_id }) =>
      expect.objectContaining({ product, payer, network, transaction, receipt_id }),
    ),
  );
  const csv = call(["sales", ...period, "--csv"], node.data)
    .out.trim()
    .split("\n");
  expect(csv.length).toBe(3);
  expect(call(["sales", ...period], node.data).out).toContain("2 sales");
  expect(call(["sales", "--from", "yesterday", "--to", today()], node.data).code).toBe(2);
});

describe("keys on the command line", () => {
  const setUp = async () => {
    const where = newNodeFolder([], "", localPlugin(upstream.url));
    const node = await startRun(where);
    node.signal("SIGTERM");
    await node.exited();
    const keys = (...args: string[]) => call(["keys", ...args, "--config", where.config], where.folder);
    const issue = (...args: string[]) => {
      const { out } = keys("issue", ...args, "--json");
      return (JSON.parse(out) as { key_id: string }).key_id;
    };
    const show = (id: string) => JSON.parse(keys("show", id, "--json").out) as Record<string, string | null>;
    return { keys, issue, show };
  };

  test("a top-up with credit keeps the expiry, one with a duration alone moves it", async () => {
    const { keys, issue, show } = await setUp();
    const id = issue("--credit", "1", "--duration", "30d", "--label", "Ann's bot");
    const before = show(id).balance_until;
    expect(keys("top-up", id, "--credit", "2").code).toBe(0);
    expect(show(id)).toMatchObject({ balance_until: before, balance_usd: "3.00" });
    expect(keys("top-up", id, "--duration", "90d").code).toBe(0);
    expect(Date.parse(show(id).balance_until ?? "")).toBeGreaterThan(Date.parse(before ?? "") + 50 * 86_400_000);
    expect(show(id).balance_usd).toBe("3.00");

    const { out } = keys("list");
    expect(out.split("\n")[0]).toMatch(/^KEY +LABEL +PLAN +BALANCE +ENDS +STATE +CALLS$/);
    expect(out).toContain("Ann's bot");
    const shown = keys("show", id).out;
    expect(shown).toContain("balance_usd      3.00");
    expect(shown).not.toMatch(/[{}[\]]/);
  });

  test("a wrong value is named, not answered with the list of commands", async () => {
    const { keys, issue } = await setUp();
    const id = issue("--credit", "1");
    for (const [args, told] of [
      [["top-up", id, "--credit", "five"], "credit_usd: an amount in USD"],
      [["top-up", id, "--duration", "soon"], "duration: a time such as"],
      [["show", "nonsense"], "key_id: the id of a key"],
      [["list", "--after", "first"], "after: a number"],
    ] as const) {
      const { code, out, err } = keys(...args);
      expect({ args, failed: code !== 0, out }).toEqual({ args, failed: true, out: "" });
      expect(err).toContain(told);
      expect(err).not.toMatch(/Usage:|Commands:|one of issue/);
    }
  });
});

test("a product that fails by its own fault is told with file, line and stack, not blamed on others", async () => {
  const plugin = localPlugin(upstream.url).replace("data: { n: inputs.n }", "data: { n: inputs.missing.deeply.n }");
  const where = newNodeFolder([], "", plugin);
  const issued = call(["keys", "issue", "--credit", "1", "--config", where.config, "--json"], where.folder);
  const node = await startRun(where);
  const made =
    issued.code === 0
      ? issued
      : call(["keys", "issue", "--credit", "1", "--config", where.config, "--url", node.url(), "--json"], where.folder);
  const { api_key } = JSON.parse(made.out) as { api_key: string };
  const response = await fetch(`${node.url()}/local`, { headers: { "X-API-Key": api_key } });
  if (response.status !== 503) throw new Error(node.out() + node.err());
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: "product_failed", charged: false });
  await until(() => node.err().includes('"event":"product_failed"'), "the line");
  const line = node
    .err()
    .split("\n")
    .find((one) => one.includes('"event":"product_failed"'));
  const told = JSON.parse(line ?? "{}");
  expect(told).toMatchObject({
    level: "error",
    file: join(where.folder, "plugins", "local.ts"),
    line: expect.any(Number),
  });
  expect(told.error).toContain("TypeError");
  expect(told.stack).toContain("local.ts");
});
