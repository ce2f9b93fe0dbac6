import { expect, test } from "bun:test";
import { createStillClock } from "../../../test/helpers/still-clock.ts";
import { networkById } from "../networks/table.ts";
import type { IncomeQuestion } from "./chain-reader.ts";
import { createIncomeWatch } from "./watch-income.ts";

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 28);
const base = networkById("eip155:84532");
if (!base) throw new Error("no Base Sepolia");
const WALLETS = [{ network: base, pay_to: "0x90F79bf6EB2c4f870365E785982E1f101E93b906" }];

function create(newest_sale_ms: number | null) {
  const asked: IncomeQuestion[] = [];
  const state = { fails: false };
  const watch = createIncomeWatch({
    wallets: WALLETS,
    chain: {
      canRead: () => true,
      async listIncoming(question) {
        asked.push(question);
        if (state.fails) throw new Error("no endpoint");
        return [{ transaction: "0x1", from: "0xb", amount: 5_000n, at_ms: NOW_MS - DAY_MS }];
      },
    },
    readIncome: async () => [],
    readExplained: async () => [],
    newest_sale_ms: async () => newest_sale_ms,
    clock: createStillClock(NOW_MS),
    log: () => undefined,
  });
  return { watch, asked, state };
}

test("a look goes back three days, or to where the books end, at most thirty", async () => {
  const spans = [];
  for (const newest_ms of [null, NOW_MS - 1_000, NOW_MS - 9 * DAY_MS, NOW_MS - 400 * DAY_MS]) {
    const { watch } = create(newest_ms);
    await watch.pass();
    spans.push(watch.found().map(({ from_ms, until_ms }) => [(NOW_MS - from_ms) / DAY_MS, NOW_MS - until_ms]));
  }
  expect(spans).toEqual([[[3, 600_000]], [[3, 600_000]], [[10, 600_000]], [[30, 600_000]]]);
});

test("what was found stays while the chain cannot be read", async () => {
  const { watch, state } = create(null);
  await watch.pass();
  state.fails = true;
  await watch.pass();
  expect(watch.found().map(({ unbooked }) => unbooked.map(({ transaction }) => transaction))).toEqual([["0x1"]]);
});
