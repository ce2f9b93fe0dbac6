import { describe, expect, test } from "bun:test";
import { createTestProvider } from "../../test/helpers/fake-upstream.ts";
import { isNodeError, UpstreamError, type UpstreamErrorKind } from "../core/errors.ts";
import { createAsking } from "./failover.ts";

const [a, b, c] = ["prov_a", "prov_b", "prov_c"].map((id) => createTestProvider({ id }));
if (!a || !b || !c) throw new Error("three providers");

const fails =
  (kind: UpstreamErrorKind, own_limit = false) =>
  async (): Promise<never> => {
    throw new UpstreamError(kind, "x", `x: ${kind}`, { retry_after_s: 7, own_limit });
  };
const signal = new AbortController().signal;
const asking = createAsking({ usable: () => true, signal });
const thrownBy = (call: Promise<unknown>) =>
  call.then(
    () => "nothing",
    (error: unknown) => error,
  );

describe("the first value", () => {
  test("comes from the first provider that has one; those the configuration leaves out are not asked", async () => {
    const asked: string[] = [];
    const ask = (id: string, run: () => Promise<number>) => () => {
      asked.push(id);
      return run();
    };
    const { first } = createAsking({ usable: ({ id }) => id !== "prov_a", signal });
    const value = await first("a value", [
      { provider: a, run: ask("a", async () => 1) },
      { provider: b, run: ask("b", fails("upstream_timeout")) },
      { provider: c, run: ask("c", async () => 3) },
    ]);
    expect([value, asked]).toEqual([3, ["b", "c"]]);
  });

  test("a busy provider is waited for when no other provider has the value", async () => {
    let hurried = true;
    const made_good: unknown[] = [];
    const { first } = createAsking({
      usable: () => true,
      signal,
      inHurry: (run) => run().finally(() => (hurried = false)),
      onMadeGood: (errors) => made_good.push(...errors),
    });
    const run = () => (hurried ? fails("upstream_rate_limited", true)() : Promise.resolve(9));
    const value = await first("a value", [
      { provider: a, run },
      { provider: b, run: fails("upstream_bad_response") },
    ]);
    expect(value).toBe(9);
    expect(made_good.length).toBe(2);
  });

  test("without any the error names everybody's failure", async () => {
    const error = await thrownBy(
      asking.first("a price", [
        { provider: a, run: fails("upstream_timeout") },
        { provider: b, run: fails("upstream_bad_response") },
      ]),
    );
    expect(isNodeError(error) && error.code).toBe("upstream_unavailable");
    expect(String(error)).toContain("a price could not be produced (x: upstream_timeout, x: upstream_bad_response)");
  });
});

describe("several things at once", () => {
  test("what fails is null and has its warning, in the order of the parts", async () => {
    const { values, warnings, errors } = await asking.each({
      price: { essential: true, run: async () => 5 },
      funding: fails("upstream_timeout"),
      fees: { field: "costs.fees", because: "no venue states them", run: fails("upstream_bad_response") },
      depth: { attempts: [{ provider: a, run: async () => ["x"] }] },
    });
    expect(values).toEqual({ price: 5, funding: null, fees: null, depth: ["x"] });
    expect(warnings).toEqual(["funding: no usable answer (upstream_timeout)", "costs.fees: no venue states them"]);
    expect(errors.funding).toBeInstanceOf(UpstreamError);
    const price: number = values.price;
    const depth: readonly string[] | null = values.depth;
    expect([price, depth?.length]).toEqual([5, 1]);
  });

  test("an essential part's failure is the run's", async () => {
    const error = await thrownBy(asking.each({ price: { essential: true, run: fails("upstream_bad_response") } }));
    expect(isNodeError(error) && error.code).toBe("upstream_bad_response");
  });

  test("what a longer wait would have brought is not sold as missing; a job may keep the rest", async () => {
    const parts = { price: async () => 5, funding: fails("upstream_rate_limited", true) };
    const error = await thrownBy(asking.each(parts));
    expect(isNodeError(error) && [error.code, error.options.retry_after_s]).toEqual(["upstream_unavailable", 7]);
    const job = createAsking({ usable: () => true, signal, may_be_thin: true });
    expect((await job.each(parts)).values).toEqual({ price: 5, funding: null });
  });
});
