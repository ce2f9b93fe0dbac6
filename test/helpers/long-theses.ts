import { computeThesis } from "../../src/plugins/ai/thesis-engine/compute.ts";
import { fetchThesis } from "../../src/plugins/ai/thesis-engine/fetch.ts";
import type { ThesisData } from "../../src/plugins/ai/thesis-engine/schema.ts";
import { logOutcomes } from "../../src/records/history-trees.ts";
import { createMemoryRecords } from "../../src/records/memory-records.ts";
import { hashRecord } from "../../src/records/record-chain.ts";
import { type createLongHistory, stateOutcome } from "./long-history.ts";
import { createSimulatedNode } from "./simulated-node.ts";
import { createStillClock } from "./still-clock.ts";

type History = Awaited<ReturnType<typeof createLongHistory>>;

const DAY_MS = 86_400_000;
/** A thesis a day from here on: three records, one a horizon. */
const START_MS = Date.parse("2026-01-01T23:20:00Z");
const HORIZONS_D = [7, 30, 90];
/** The newest ones are open still. */
const OPEN = 5;
const NO_EDGE_EVERY = 8;
const BASIS = {
  bar_close_at: "2026-01-01T00:00:00Z",
  regime: "bull",
  base_rate: null,
  catalysts: null,
  factors: [{ name: "trend", value: "0.5", contribution: "6.5" }],
};
const time = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

/** A chain of that many records of theses as the jobs write one. */
export async function createLongTheses(length: number, ref_price = "100.0"): Promise<History> {
  const clock = createStillClock(START_MS);
  const records = createMemoryRecords(clock.now);
  for (let index = 0; index < length; index++) {
    const day = Math.floor(index / HORIZONS_D.length);
    clock.set(START_MS + day * DAY_MS);
    const side = day % NO_EDGE_EVERY === NO_EDGE_EVERY - 1 ? "none" : day % 2 === 0 ? "long" : "short";
    const emitted_at = time(clock.now());
    const thesis = {
      v: 1,
      model_id: "thesis-v1",
      thesis_id: `${emitted_at.slice(0, 10)}:BTC`,
      symbol: "BTC",
      side,
      strength: 30 + (day % 60),
      horizon_h: 24 * (HORIZONS_D[index % HORIZONS_D.length] ?? 7),
      emitted_at,
      ref_price,
      sigma_pct: "48",
      minus2: "80.0",
      minus1: "90.0",
      plus1: "110.0",
      plus2: "120.0",
      invalidation_price: side === "none" ? null : "90.0",
      basis_hash: hashRecord(BASIS),
      cost_bps: "20.0",
    };
    await records.append("theses", (link) => ({ ...thesis, ...link }), BASIS);
  }
  clock.set(START_MS + (length + 100) * DAY_MS);
  for (const row of (records.all().get("theses") ?? []).slice(0, length - OPEN)) {
    const { seq, record, record_hash } = row;
    const exit_price = record.side === "none" ? null : (97 + ((seq * 13) % 61) / 10).toFixed(1);
    const stated = stateOutcome(record, record_hash, exit_price);
    const outcome = exit_price === null ? stated : { ...stated, in_1sigma: true };
    await records.settle({ chain: "theses", seq, outcome });
  }
  await logOutcomes(records, "theses");
  return { records, now_ms: clock.now() };
}

/** What a buyer of the newest thesis gets, by the product's own code. */
export async function sellThesis({ records, now_ms }: History, shown: number): Promise<ThesisData> {
  const node = createSimulatedNode({ now_ms });
  try {
    const inputs = await fetchThesis({ ...node.createContext(), records }, { records: shown });
    return JSON.parse(JSON.stringify(computeThesis(inputs).data));
  } finally {
    node.close();
  }
}
