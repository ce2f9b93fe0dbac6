import { describe, expect, test } from "bun:test";
import { fc } from "../../test/helpers/properties.ts";
import { type Counted, ceilingOf, chargeOf, meter } from "../core/metering.ts";
import { countTokens, createMeterTerms, listMeterFaults, type MeteringSettings } from "./metering.ts";
import type { Completion } from "./model.ts";

const SETTINGS: MeteringSettings = {
  enabled: true,
  in_per_1k: "0.0005",
  out_per_1k: "0.002",
  floor: "0.001",
  peer_pct: 10,
  floors: {},
  ceilings: {},
  models: { dear: { in_per_1k: "0.01", out_per_1k: "0.04" } },
};
const termsOf = (more: Partial<MeteringSettings> = {}, by: "tokens" | "peer_price" = "tokens") => {
  const asked = { names: ["/llm?depth=deep", "/llm"], metered: { by }, price_atomic: 5_000n };
  const terms = createMeterTerms(asked, { ...SETTINGS, ...more });
  if (terms === null) throw new Error("not metered");
  return terms;
};
const tokens = (models: Extract<Counted, { by: "tokens" }>["models"], is_estimated = false): Counted => ({
  by: "tokens",
  models,
  is_estimated,
});

describe("a charge", () => {
  test("is the published formula, rounded down, from floor to ceiling, whatever was counted", () => {
    const count = fc.oneof(fc.nat(3_000), fc.nat(1_000_000), fc.maxSafeNat());
    const rate = fc.nat(50_000).map((atomic) => ({ atomic: BigInt(atomic), usd: (atomic / 1e6).toFixed(6) }));
    const models = fc.array(fc.record({ model: fc.constantFrom("dear", "local"), in: count, out: count }), {
      maxLength: 5,
    });
    const asked = fc.record({ models, in: rate, out: rate, floor: fc.nat(9_999), over: fc.nat(100_000) });
    fc.assert(
      fc.property(asked, ({ models, over, ...given }) => {
        const [floor, ceiling] = [BigInt(given.floor) + 1n, BigInt(given.floor + over) + 1n];
        const own = { in: 10_000n, out: 40_000n };
        const usd = (atomic: bigint) => (Number(atomic) / 1e6).toFixed(6);
        const terms = termsOf({
          in_per_1k: given.in.usd,
          out_per_1k: given.out.usd,
          floor: usd(floor),
          ceilings: { "/llm": usd(ceiling) },
        });
        let milli = 0n;
        for (const one of models) {
          const at = one.model === "dear" ? own : { in: given.in.atomic, out: given.out.atomic };
          milli += BigInt(one.in) * at.in + BigInt(one.out) * at.out;
        }
        const exact = (milli - (milli % 1_000n)) / 1_000n;
        const expected = exact < floor ? floor : exact > ceiling ? ceiling : exact;
        expect(chargeOf(terms, tokens(models))).toBe(expected);
      }),
      { numRuns: 10_000 },
    );
  });

  test("is worked out by hand: 1,500 tokens in at 0.0005 and 999 out at 0.002 are 0.002748 USD", () => {
    const metered = meter({ metering: termsOf() }, tokens([{ model: "local", in: 1_500, out: 999 }]));
    expect(metered?.charge).toBe(2_748n);
    expect(metered?.headers["X-Charged"]).toBe("0.002748");
    expect(JSON.parse(metered?.headers["X-Metering"] ?? "")).toEqual({
      by: "tokens",
      estimated: false,
      models: [{ model: "local", in: 1_500, out: 999, in_per_1k: "500", out_per_1k: "2000" }],
      floor: "1000",
      ceiling: "5000",
      charge: "2748",
      formula: "min(ceiling, max(floor, floor(sum(in * in_per_1k + out * out_per_1k) / 1000)))",
    });
  });

  test("is the floor when nothing was counted, or a host stated no count or an invalid one", () => {
    const much = [{ model: "local", in: 9_000_000, out: 9_000_000 }];
    const terms = termsOf();
    for (const counted of [
      undefined,
      tokens([]),
      tokens(much, true),
      tokens([{ model: "local", in: -1, out: 5_000 }]),
      tokens([{ model: "local", in: 0.5, out: 5_000_000 }]),
      tokens([{ model: "local", in: Number.NaN, out: 5_000_000 }]),
    ]) {
      expect(chargeOf(terms, counted)).toBe(1_000n);
    }
    expect(chargeOf(terms, tokens(much))).toBe(5_000n);
  });

  test("of a relayed call is a share of what the peer was paid", () => {
    const terms = termsOf({}, "peer_price");
    const paid = (peer_price: bigint | null) => chargeOf(terms, { by: "peer_price", peer_price });
    expect([paid(null), paid(9_999n), paid(20_019n), paid(10n ** 30n)]).toEqual([1_000n, 1_000n, 2_001n, 5_000n]);
  });
});

describe("terms", () => {
  test("are absent unless the operator meters and the product says how", () => {
    const asked = { names: ["/llm"], metered: { by: "tokens" as const }, price_atomic: 5_000n };
    expect(createMeterTerms(asked, undefined)).toBeNull();
    expect(createMeterTerms(asked, { ...SETTINGS, enabled: false })).toBeNull();
    expect(createMeterTerms({ ...asked, metered: undefined }, SETTINGS)).toBeNull();
    expect(ceilingOf({ metering: null, price_atomic: 5_000n })).toBe(5_000n);
    expect(meter({ metering: null }, tokens([]))).toBeNull();
  });

  test("end at the flat price unless the operator raises it, of a tier by its own name first", () => {
    expect(ceilingOf({ metering: termsOf(), price_atomic: 5_000n })).toBe(5_000n);
    expect(termsOf({ ceilings: { "/llm": "0.02" } }).ceiling).toBe(20_000n);
    expect(termsOf({ ceilings: { "/llm": "0.02", "/llm?depth=deep": "0.03" } }).ceiling).toBe(30_000n);
    expect(termsOf({ floors: { "/llm": "0.002" } }).floor).toBe(2_000n);
    expect(termsOf({ floor: "1" }).floor).toBe(5_000n);
  });
});

test("a rule that cannot be followed is a fault of its product", () => {
  const read = () => 1n;
  expect(listMeterFaults({})).toEqual([]);
  expect(listMeterFaults({ metered: { by: "peer_price", read } })).toEqual([]);
  expect(listMeterFaults({ metered: { by: "tokens" } })).toHaveLength(1);
  expect(listMeterFaults({ metered: { by: "peer_price" } })).toHaveLength(1);
  expect(listMeterFaults({ metered: { by: "peer_price", read }, plan: {} })).toHaveLength(1);
});

test("every completion of a run counts, by the model that gave it", async () => {
  const made = (provider_id: string, [prompt_tokens, completion_tokens]: [number, number], is_estimated = false) =>
    ({ provider_id, usage: { prompt_tokens, completion_tokens, is_estimated } }) as Completion;
  const answers = [made("a", [10, 20]), made("b", [1, 2]), made("a", [5, 5])];
  const counting = countTokens({ complete: async () => answers.shift() ?? made("b", [3, 4], true) });
  for (let n = 0; n < 3; n += 1) await counting.model.complete({ messages: [], max_tokens: 1 });
  const models = [
    { model: "a", in: 15, out: 25 },
    { model: "b", in: 1, out: 2 },
  ];
  expect(counting.counted()).toEqual({ by: "tokens", models, is_estimated: false });
  await counting.model.complete({ messages: [], max_tokens: 1 });
  expect(counting.counted()).toMatchObject({ is_estimated: true });
});
