import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { fetchPrioritizationFees } from "./prioritization-fees.ts";

const slots = (count: number, fee: unknown = 5) =>
  Array.from({ length: count }, (_, index) => ({ slot: 348_125 + index, prioritizationFee: fee }));
const answer = (result: unknown) => ({ jsonrpc: "2.0", id: 1, result });
const read = (body: unknown) =>
  fetchPrioritizationFees(createRecordedContext({ now_ms: 0, bodies: { "solana_rpc POST solana": body } }));

describe("Solana's priority fees", () => {
  test("one fee per slot, zero included", async () => {
    expect(await read(answer([...slots(149), { slot: 348_900, prioritizationFee: 0 }]))).toEqual([
      ...Array(149).fill(5),
      0,
    ]);
  });

  test("errors, too few slots, nulls and absurd fees are refused", async () => {
    const bodies = [
      { jsonrpc: "2.0", id: 1, error: { code: -32005, message: "Node is behind" } },
      ...[[], slots(19), slots(151), slots(20, null), slots(20, -1), slots(20, 1.5), slots(20, 6e12), null].map(answer),
      null,
      [],
    ];
    for (const body of bodies) {
      const error = await read(body).catch((thrown: unknown) => thrown);
      expect(error instanceof UpstreamError ? error.kind : error).toBe("upstream_bad_response");
    }
  });
});
