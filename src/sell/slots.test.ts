import { describe, expect, test } from "bun:test";
import { createSlots } from "./slots.ts";

const options = { slots: 1, queue_max: 1_000, shares: [1, 2, 4, 8, 8], dedicated_share: 0 };

/** Works that end when they are told to, and the order in which they began. */
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
      Array.from({ length: 100 }, () => slots.run(level, work(level)).catch(() => undefined)),
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
    for (let count = 0; count < 10; count++) void slots.run(3, work(3));
    expect(begun).toHaveLength(3);
    void slots.run(4, work(4));
    expect(begun).toEqual([3, 3, 3, 4]);
  });

  test("turn a call away when too many wait, and go on after a work that failed", async () => {
    const slots = createSlots({ ...options, queue_max: 1 });
    const failing = slots.run(1, () => Promise.reject(new Error("no")));
    const second = slots.run(1, async () => "second");
    await expect(slots.run(1, async () => "third")).rejects.toMatchObject({ code: "overloaded" });
    await expect(failing).rejects.toThrow("no");
    expect(await second).toBe("second");
    expect(slots).toMatchObject({ busy: 0, waiting: 0 });
  });
});
