import { describe, expect, test } from "bun:test";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { createPayerLanes, type PayerLanes } from "./payer-lanes.ts";

const PAYER = "0xpayer";
const OWNER = { payer: PAYER, client: "192.0.2.1", known: true };
const STRANGER = { payer: PAYER, client: "192.0.2.2", known: false };

function createLanes() {
  const clock = createStillClock();
  return { clock, lanes: createPayerLanes({ clock }) };
}

/** Begins so many payments that do not end by themselves. */
function begin(lanes: PayerLanes, who: typeof OWNER, times: number) {
  const ends: (() => void)[] = [];
  const runs = Array.from({ length: times }, () =>
    lanes.run(who, () => new Promise<void>((end) => void ends.push(end))),
  );
  const started = async (): Promise<number> => {
    await Bun.sleep(0);
    return ends.length;
  };
  return { runs, ends, started };
}

describe("payments of one wallet", () => {
  test("are worked on three at once; each that ends lets one in, in the order they came", async () => {
    const { lanes } = createLanes();
    const order: number[] = [];
    const ends: (() => void)[] = [];
    const runs = [0, 1, 2, 3, 4].map((n) =>
      lanes.run(OWNER, () => {
        order.push(n);
        return new Promise<void>((end) => void ends.push(end));
      }),
    );
    await Bun.sleep(0);
    expect(order).toEqual([0, 1, 2]);
    ends[1]?.();
    await Bun.sleep(0);
    expect(order).toEqual([0, 1, 2, 3]);
    ends[0]?.();
    await Bun.sleep(0);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    for (const end of ends) end();
    await Promise.all(runs);
  });

  test("that fail make room as those that are paid do", async () => {
    const { lanes } = createLanes();
    for (let times = 0; times < 10; times += 1) {
      await expect(lanes.run(OWNER, () => Promise.reject(new Error("no data")))).rejects.toThrow("no data");
    }
    expect(await begin(lanes, OWNER, 4).started()).toBe(3);
  });

  test("of one who paid are one more for every three, 32 at most; a refused settlement takes them back", async () => {
    for (const [paid, at_once] of [
      [2, 3],
      [3, 4],
      [5, 4],
      [6, 5],
      [86, 31],
      [87, 32],
      [300, 32],
    ] as const) {
      const { lanes } = createLanes();
      for (let times = 0; times < paid; times += 1) lanes.notePaid(PAYER);
      expect([paid, await begin(lanes, OWNER, 40).started()]).toEqual([paid, at_once]);
    }
    const { lanes } = createLanes();
    for (let times = 0; times < 87; times += 1) lanes.notePaid(PAYER);
    lanes.noteFailed(PAYER);
    expect(await begin(lanes, OWNER, 40).started()).toBe(3);
  });

  test("let in as many as there is room for when one ends, where room grew meanwhile", async () => {
    const { lanes } = createLanes();
    const { ends, started } = begin(lanes, OWNER, 6);
    expect(await started()).toBe(3);
    for (let times = 0; times < 3; times += 1) lanes.notePaid(PAYER);
    ends[0]?.();
    expect(await started()).toBe(5);
  });

  test("sent by a stranger wait for each other, three at once however much was paid, and for nobody else", async () => {
    const { lanes } = createLanes();
    for (let times = 0; times < 30; times += 1) lanes.notePaid(PAYER);
    expect(await begin(lanes, STRANGER, 5).started()).toBe(3);
    expect(await begin(lanes, { ...STRANGER, client: "192.0.2.3" }, 5).started()).toBe(3);
    expect(await begin(lanes, OWNER, 20).started()).toBe(13);
  });

  test("wait by the thousand, and no more", async () => {
    const { lanes } = createLanes();
    begin(lanes, OWNER, 1_003);
    await expect(lanes.run(OWNER, async () => 1)).rejects.toMatchObject({
      code: "rate_limited",
      options: { retry_after_s: 2 },
    });
  });
});

describe("refused settlements", () => {
  const waitOf = async (lanes: PayerLanes): Promise<number | string | undefined> =>
    lanes.run(OWNER, async () => 0).catch((error) => error.options.retry_after_s);

  test("cost nothing twice, then two seconds, and twice as long each time, ten minutes at most", async () => {
    const { clock, lanes } = createLanes();
    const waits: unknown[] = [];
    for (let times = 0; times < 14; times += 1) {
      lanes.noteFailed(PAYER);
      waits.push(await waitOf(lanes));
    }
    expect(waits).toEqual([0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]);
    clock.advance(599_999);
    expect(await waitOf(lanes)).toBe(1);
    clock.advance(1);
    expect(await waitOf(lanes)).toBe(0);
  });

  test("are forgotten when one is paid", async () => {
    const { lanes } = createLanes();
    for (let times = 0; times < 5; times += 1) lanes.noteFailed(PAYER);
    lanes.notePaid(PAYER);
    expect(await waitOf(lanes)).toBe(0);
    lanes.noteFailed(PAYER);
    expect(await waitOf(lanes)).toBe(0);
  });

  test("keep nobody out by a clock that was set back", async () => {
    const { clock, lanes } = createLanes();
    for (let times = 0; times < 3; times += 1) lanes.noteFailed(PAYER);
    clock.advance(-600_000);
    expect(await waitOf(lanes)).toBe(0);
  });

  test("end those that waited for them, too", async () => {
    const { lanes } = createLanes();
    const { runs, ends } = begin(lanes, OWNER, 4);
    await Bun.sleep(0);
    for (let times = 0; times < 3; times += 1) lanes.noteFailed(PAYER);
    ends[0]?.();
    await expect(runs[3]).rejects.toMatchObject({ code: "rate_limited", message: expect.stringContaining("refused") });
  });
});

test("a facilitator's word opens three places of a wallet, each until it is given back", () => {
  const { lanes } = createLanes();
  const [first, second] = [lanes.confirm(PAYER), lanes.confirm(PAYER), lanes.confirm(PAYER)];
  expect(() => lanes.confirm(PAYER)).toThrow("Too many payments");
  expect(() => lanes.confirm("0xother")).not.toThrow();
  first?.();
  expect(() => lanes.confirm(PAYER)).not.toThrow();
  expect(() => lanes.confirm(PAYER)).toThrow("Too many payments");
  second?.();
  expect(() => lanes.confirm(PAYER)).not.toThrow();
});
