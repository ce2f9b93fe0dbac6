import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SpendTogether } from "../../../core/shared-budget.ts";
import { openGasBudget } from "./gas-budget.ts";
import { shareGasBudget } from "./shared-gas-budget.ts";

const HOUR_MS = 3_600_000;
const CAP = 100n;
const folder = mkdtempSync(join(tmpdir(), "shared-gas-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let worlds = 0;
/** Nodes on one ledger, each with its own file. */
function createNodes(count: number) {
  worlds += 1;
  const world = { now_ms: 1_800_000_000_000, is_away: false, spent: new Map<string, number>() };
  const spendTogether: SpendTogether = async (parts) => {
    if (world.is_away) throw new Error("the ledger is away");
    const before = parts.map(({ name }) => ({ name, spent: world.spent.get(name) ?? 0 }));
    const over = parts.find(({ name, amount, limit }) => (world.spent.get(name) ?? 0) + amount > limit)?.name ?? null;
    for (const { name, amount } of over === null ? parts : []) {
      world.spent.set(name, (world.spent.get(name) ?? 0) + amount);
    }
    return { over, spent: before };
  };
  const clock = { now: () => world.now_ms };
  const nodes = Array.from({ length: count }, (_, n) =>
    shareGasBudget(openGasBudget({ file: join(folder, `${worlds}-${n}.json`), cap: CAP, clock }), {
      network: "eip155:8453",
      cap: CAP,
      clock,
      spendTogether,
    }),
  );
  return { world, nodes };
}

describe("nodes of a cluster", () => {
  test("spend together no more in an hour than one may", async () => {
    const { nodes } = createNodes(3);
    const booked = await Promise.all(Array.from({ length: 60 }, (_, n) => nodes[n % 3]?.reserve(9n)));
    expect(booked.filter((one) => one !== null)).toHaveLength(11);
  });

  test("give back what was not used, for all", async () => {
    const { nodes } = createNodes(2);
    const first = await nodes[0]?.reserve(90n);
    expect(await nodes[1]?.reserve(20n)).toBeNull();
    expect(nodes[1]?.left()).toBe(10n);
    first?.correct(50n);
    first?.correct(60n);
    expect(await nodes[1]?.reserve(10n)).not.toBeNull();
    expect(nodes[1]?.left()).toBe(40n);
  });

  test("begin anew with the hour", async () => {
    const { world, nodes } = createNodes(2);
    await nodes[0]?.reserve(100n);
    expect(await nodes[1]?.reserve(1n)).toBeNull();
    world.now_ms += HOUR_MS;
    expect(await nodes[1]?.reserve(100n)).not.toBeNull();
  });

  test("pay nothing while the ledger cannot be asked, and count nothing of it", async () => {
    const { world, nodes } = createNodes(1);
    world.is_away = true;
    await expect(nodes[0]?.reserve(40n) ?? Promise.resolve()).rejects.toThrow("away");
    world.is_away = false;
    expect(nodes[0]?.left()).toBe(CAP);
  });
});
