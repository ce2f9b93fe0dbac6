import { describe, expect, test } from "bun:test";
import { createSlots } from "./slots.ts";

const options = { slots: 1, queue_max: 1_000, holder_queue_max: 1_000, shares: [1, 2, 4, 8, 8], dedicated_share: 0 };

/** A place of one holder. */
const at = (priority: number, holder = "one") => ({ priority, holder });

/** Works that end when the test says so, and the order in which they began. */
function createWorks() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (level: number) => () => {
    begun.push(level);
    return new Promise<void>((end) => ends.push(end));
  };
  const endOne = async () => {
    ends.shift()?.();
    await Bun.sleep(0);
  };
  return { begun, work, endOne };
}

describe("produce slots", () => {
  test("serve waiting classes in proportion to their shares, and starve none", async () => {
    const slots = createSlots(options);
    const { begun, work, endOne } = createWorks();
    const running = [0, 1, 2, 3].flatMap((level) =>
      Array.from({ length: 100 }, () => slots.run(at(level), work(level)).catch(() => undefined)),
    );
    for (let served = 0; served < 151; served++) await endOne();
    const shareOf = (level: number) => begun.slice(1, 151).filter((one) => one === level).length;
    expect([0, 1, 2, 3].map(shareOf)).toEqual([10, 20, 40, 80]);
    expect(slots.waiting).toBe(400 - begun.length);
    for (let rest = begun.length; rest < 400 + 5; rest++) await endOne();
    await Promise.all(running);
    expect(slots.busy).toBe(0);
  });

  test("keep a part for the highest class however many others there are", async () => {
    const slots = createSlots({ ...options, slots: 4, dedicated_share: 0.25 });
    const { begun, work } = createWorks();
    for (let count = 0; count < 10; count++) void slots.run(at(3), work(3));
    expect(begun).toHaveLength(3);
    void slots.run(at(4), work(4));
    expect(begun).toEqual([3, 3, 3, 4]);
  });

  test("turn a call away when too many wait, and go on after a work that failed", async () => {
    const slots = createSlots({ ...options, queue_max: 1 });
    const failing = slots.run(at(1), () => Promise.reject(new Error("no")));
    const second = slots.run(at(1), async () => "second");
    await expect(slots.run(at(1), async () => "third")).rejects.toMatchObject({ code: "overloaded" });
    await expect(failing).rejects.toThrow("no");
    expect(await second).toBe("second");
    expect(slots).toMatchObject({ busy: 0, waiting: 0 });
  });

  test("serve the holders of a class in turn, so that the busiest holder waits longest", async () => {
    const slots = createSlots(options);
    const served: string[] = [];
    const ends: (() => void)[] = [];
    const work = (holder: string) => () => {
      served.push(holder);
      return new Promise<void>((end) => ends.push(end));
    };
    const running = [...Array(50).fill("pass"), "buyer", "other", "buyer"].map((holder) =>
      slots.run(at(1, holder), work(holder)),
    );
    for (let n = 0; n < 6; n++) {
      ends.shift()?.();
      await Bun.sleep(0);
    }
    expect(served).toEqual(["pass", "pass", "buyer", "other", "pass", "buyer", "pass"]);
    while (ends.length > 0) {
      ends.shift()?.();
      await Bun.sleep(0);
    }
    await Promise.all(running);
    expect(slots).toMatchObject({ busy: 0, waiting: 0 });
  });

  test("turn away the calls of who fills a queue, and nobody else's", async () => {
    const slots = createSlots({ ...options, queue_max: 10, holder_queue_max: 8 });
    const ended = Promise.withResolvers<void>();
    const send = (holder: string) =>
      slots
        .run(at(1, holder), () => ended.promise)
        .then(
          () => "served",
          (error: { code: string }) => error.code,
        );
    const greedy = Array.from({ length: 20 }, () => send("greedy"));
    const buyers = Array.from({ length: 5 }, (_, n) => send(`buyer ${n}`));
    ended.resolve();
    expect(await Promise.all(buyers)).toEqual(Array(5).fill("served"));
    const outcomes = await Promise.all(greedy);
    // One had the slot, eight waited, and three of these gave way to buyers who came when all ten places were taken.
    expect(outcomes.filter((one) => one === "served")).toHaveLength(6);
    expect(outcomes.filter((one) => one === "overloaded")).toHaveLength(14);
    expect(slots).toMatchObject({ busy: 0, waiting: 0 });
  });

  test("let one payer have only so much at once, and let others past him", async () => {
    const slots = createSlots({ ...options, slots: 10, payer_max: 2 });
    const { begun, work, endOne } = createWorks();
    const run = (level: number, place: { readonly holder: string; readonly payer?: string | null }) =>
      slots.run({ priority: 1, ...place }, work(level));
    const greedy = Array.from({ length: 5 }, () => run(1, { holder: "one network", payer: "greedy" }));
    await Bun.sleep(0);
    expect([begun, slots.waiting]).toEqual([[1, 1], 3]);
    const others = [run(2, { holder: "one network", payer: "modest" }), run(3, { holder: "greedy" })];
    const kept = Array.from({ length: 3 }, () => run(4, { holder: "greedy", payer: null }));
    await Bun.sleep(0);
    expect([begun, slots.waiting]).toEqual([[1, 1, 2, 4, 4, 4], 4]);
    for (let n = 0; n < 12; n += 1) await endOne();
    await Promise.all([...greedy, ...others, ...kept]);
    expect([slots.busy, slots.waiting]).toEqual([0, 0]);
  });
});
