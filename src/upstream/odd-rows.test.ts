import { afterEach, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import {
  createRun,
  createTestProvider,
  createTestUpstream,
  type FakeServer,
  getFailure,
  startFakeServer,
} from "../../test/helpers/fake-upstream.ts";
import { type EachRow, Rows } from "../catalog/rows.ts";
import { unusable } from "../catalog/unusable.ts";

const servers: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const schema = Type.Object({ rows: Rows(Type.Object({ price: Type.Number({ minimum: 0 }) })) });
const odd = (bad: number) => ({
  rows: Array.from({ length: 10 }, (_, index) => ({ price: index < bad ? "<b>free</b>" : index })),
});
function start(answer: unknown) {
  const server = startFakeServer(() => Response.json(answer));
  servers.push(server);
  return { server, provider: createTestProvider({ base_urls: [server.url] }), node: createTestUpstream() };
}

test("an answer is accepted without its bad rows; each run warns of them, the status counts them once", async () => {
  const { server, provider, node } = start(odd(2));
  const request = { path: "/rows", schema, ttl_ms: 60_000 };
  const first = createRun(node);
  const got = await first.get(provider, request);
  expect(got.rows.map(({ price }) => price)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  expect(Object.isFrozen(got.rows)).toBe(true);
  await first.get(provider, request);
  const second = createRun(node);
  await second.get(provider, request);
  for (const run of [first, second]) {
    expect(run.rowWarnings()).toEqual(["test_api: 2 of 10 rows were unreadable and left out"]);
    expect(run.sources().map(({ ok }) => ok)).toEqual([true]);
    expect(run.isThin()).toBe(false);
  }
  expect(server.requests.length).toBe(1);
  expect(node.upstream.status()).toMatchObject([{ rows_dropped: 2, failures: 0, ok: true }]);
  const told = node.events.filter(({ event }) => event === "upstream_rows");
  expect(told).toEqual([
    {
      event: "upstream_rows",
      provider: "test_api",
      url: `${server.url}/rows`,
      dropped: 2,
      of: 10,
      fault: 'row 0 at "/price": Expected number',
    },
  ]);
});

test("each reader checks the rows of an answer; all callers of a shared flight warn", async () => {
  const { provider, node } = start(odd(1));
  const strict = {
    path: "/rows",
    schema,
    ttl_ms: 60_000,
    read: ({ rows }: { rows: readonly { price: number }[] }, _: unknown, eachRow: EachRow) =>
      eachRow(rows, ({ price }) => (price === 9 ? unusable("too dear") : { price })),
  };
  const [one, two] = [createRun(node), createRun(node)];
  const [mine, yours] = await Promise.all([one.get(provider, strict), two.get(provider, { ...strict, ttl_ms: 1 })]);
  expect([mine, yours].map((rows) => rows.length)).toEqual([8, 8]);
  await one.get(provider, { path: "/rows", schema, ttl_ms: 60_000 });
  for (const run of [one, two])
    expect(run.rowWarnings()).toEqual(["test_api: 2 of 10 rows were unreadable and left out"]);
});

test("below the minimum of good rows the call fails, without a warning of left-out rows", async () => {
  const { provider, node } = start(odd(3));
  const run = createRun(node);
  const failure = await getFailure(run.get(provider, { path: "/rows", schema, ttl_ms: 60_000 }));
  expect(failure.kind).toBe("upstream_bad_response");
  expect(failure.message).toContain("3 of 10 rows cannot be read");
  expect(run.rowWarnings()).toEqual([]);
});

test("the warning about one row is worded for people", async () => {
  const { provider, node } = start(odd(1));
  const run = createRun(node);
  await run.get(provider, { path: "/rows", schema, ttl_ms: 0 });
  expect(run.rowWarnings()).toEqual(["test_api: 1 of 10 rows was unreadable and left out"]);
});
