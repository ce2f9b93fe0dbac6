import { afterEach, describe, expect, test } from "bun:test";
import { createManualTimers } from "../../test/helpers/manual-timers.ts";
import { isNodeError } from "../core/errors.ts";
import { COMPUTE_MS_MAX, type ComputePool, createComputePool, IDLE_MS, type PoolComputed } from "./compute-pool.ts";

const ODD = new URL("../../test/helpers/odd-compute-worker.ts", import.meta.url).href;
const open: ComputePool[] = [];
afterEach(() => {
  for (const pool of open.splice(0)) pool.close();
});

interface More {
  readonly signal?: AbortSignal;
  readonly is_patient?: boolean;
  readonly is_harmless?: boolean;
}

function createPool(threads = 1) {
  const timers = createManualTimers();
  const pool = createComputePool({ threads, timers, address: ODD });
  open.push(pool);
  const compute = (product: string, inputs = "", more: More = {}) => {
    const { signal = new AbortController().signal, is_patient = false, is_harmless = false } = more;
    const names = { wanted: "answer" as const, file: "f", default_path: "/p", product, node_id: "n", sandbox: true };
    const order = { ...names, params: "", inputs, now_ms: 0, sources: [], row_warnings: [] };
    return pool.compute({ order, signal, is_patient, is_harmless });
  };
  const bodyOf = async (product: string, inputs: string) => readBody(await compute(product, inputs));
  return { timers, pool, compute, bodyOf };
}

function readBody(computed: PoolComputed | null): string {
  const made = computed?.made;
  return made && "body" in made ? made.body : "";
}

/** Code and reason of what a call was refused for. */
const refusalOf = async (call: Promise<unknown>): Promise<readonly string[]> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isNodeError(error)) return ["", String(error)];
  return [error.code, String(error.options.cause ?? error.message)];
};

test("threads begin with the first work, and end when there was none for half a minute", async () => {
  const { timers, pool, bodyOf } = createPool(2);
  expect(pool.status().threads).toBe(0);
  expect(await Promise.all([bodyOf("a", "1"), bodyOf("b", "2"), bodyOf("c", "3")])).toEqual(["1", "2", "3"]);
  expect(pool.status()).toMatchObject({ threads: 2, busy: 0, waiting: 0 });
  // Nothing that was waited for before is waited for still.
  expect(timers.set()).toEqual([IDLE_MS, IDLE_MS]);
  await timers.advance(IDLE_MS - 1);
  expect(pool.status().threads).toBe(2);
  await timers.advance(1);
  expect(pool.status()).toMatchObject({ threads: 0, ended: 0, died: 0 });
  expect(await bodyOf("d", "4")).toBe("4");
});

describe("a thread that does not come back", () => {
  test("is ended with its call after the longest time there is, and takes no other call with it", async () => {
    const { timers, pool, compute, bodyOf } = createPool();
    const endless = refusalOf(compute("never ends"));
    const other = bodyOf("other", "is there");
    await timers.expire(COMPUTE_MS_MAX);
    expect(await endless).toEqual([
      "deadline_exceeded",
      `never ends was not computed within ${COMPUTE_MS_MAX} ms. Nothing was charged.`,
    ]);
    expect(await other).toBe("is there");
    expect(pool.status()).toMatchObject({ threads: 1, ended: 1, died: 0 });
  });

  test("is ended as soon as its call's own time is up", async () => {
    const { compute, bodyOf, timers } = createPool();
    const call = new AbortController();
    const endless = refusalOf(compute("never ends", "", { signal: call.signal }));
    const other = bodyOf("other", "is there");
    await timers.waitForTimer(COMPUTE_MS_MAX);
    call.abort(new Error("its own time is up"));
    expect(await endless).toEqual(["", "Error: its own time is up"]);
    expect(await other).toBe("is there");
  });
});

test.each(["exits", "throws outside"])("a thread that %s loses only its own call, with the reason", async (how) => {
  const { pool, compute, bodyOf } = createPool();
  const lost = refusalOf(compute(how));
  const others = Promise.all([bodyOf("a", "1"), bodyOf("b", "2")]);
  const [code, why] = await lost;
  expect(code).toBe("product_failed");
  expect(why).toStartWith("the thread that computed it ended: ");
  expect(await others).toEqual(["1", "2"]);
  expect(pool.status()).toMatchObject({ ended: 0, died: 1 });
});

test("what waits and is waited for no more leaves at once", async () => {
  const { pool, compute, timers } = createPool();
  const first = compute("never ends").catch(() => null);
  await timers.waitForTimer(COMPUTE_MS_MAX);
  const call = new AbortController();
  const waiting = refusalOf(compute("other", "", { signal: call.signal }));
  expect(pool.status()).toMatchObject({ busy: 1, waiting: 1 });
  call.abort(new Error("gone"));
  expect(await waiting).toEqual(["", "Error: gone"]);
  expect(pool.status()).toMatchObject({ busy: 1, waiting: 0 });
  await timers.expire(COMPUTE_MS_MAX);
  await first;
});

test("what buyers wait for goes before what nobody pays for", async () => {
  const { compute } = createPool();
  const done: string[] = [];
  const note = (name: string, is_patient: boolean) =>
    compute(name, name, { is_patient }).then((made) => done.push(readBody(made)));
  await Promise.all([note("preview", true), note("a", false), note("b", false)]);
  expect(done).toEqual(["a", "b", "preview"]);
});

test("more than can be done is refused, as the node's own limit", async () => {
  const { pool, compute } = createPool();
  const waiting = Array.from({ length: 200 }, () => compute("a"));
  const error = await compute("b").catch((thrown: unknown) => thrown);
  if (!isNodeError(error)) throw error;
  expect([error.code, error.options.own_limit, pool.status().refused]).toEqual(["overloaded", true, 1]);
  expect((await Promise.all(waiting)).length).toBe(200);
});

test("what its threads do not know is made where it was asked for", async () => {
  const { pool, compute, bodyOf } = createPool();
  expect(await compute("unknown")).toBe(null);
  expect(await bodyOf("a", "1")).toBe("1");
  expect(pool.status().threads).toBe(1);
});

test("what is harmless waits for no thread that has to load it first, and is computed by it from then on", async () => {
  const { pool, compute, timers } = createPool();
  const ask = async () => readBody(await compute("a", "1", { is_harmless: true }));
  expect(await Promise.all([ask(), ask()])).toEqual(["", ""]);
  await timers.waitForTimer(IDLE_MS);
  await timers.waitForTimer(COMPUTE_MS_MAX);
  while (pool.status().busy > 0) await new Promise(setImmediate);
  expect(await ask()).toBe("1");
  pool.renew();
  expect(await ask()).toBe("");
});

test("after a reload threads finish what they are at, and others begin anew", async () => {
  const { pool, bodyOf } = createPool();
  expect(await bodyOf("a", "1")).toBe("1");
  pool.renew();
  expect(pool.status().threads).toBe(0);
  const under_way = bodyOf("b", "2");
  pool.renew();
  expect(await under_way).toBe("2");
});

test("a pool that is closed makes nothing, and refuses what it is at", async () => {
  const { pool, compute, timers } = createPool();
  const lost = refusalOf(compute("never ends"));
  await timers.waitForTimer(COMPUTE_MS_MAX);
  pool.close();
  expect((await lost)[0]).toBe("shutting_down");
  expect(await compute("a")).toBe(null);
});
