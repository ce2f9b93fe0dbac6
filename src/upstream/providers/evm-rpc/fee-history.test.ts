import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { fetchFeeHistory } from "./fee-history.ts";

const GWEI = "0x3b9aca00";
/** The documented shape: one base fee more than blocks. */
const result = (change: object = {}) => ({
  oldestBlock: "0x1",
  baseFeePerGas: [...Array(20).fill("0x1"), GWEI],
  gasUsedRatio: Array(20).fill(0.5),
  reward: Array(20).fill(["0x0", "0x5f5e100", "0xbebc200"]),
  ...change,
});
const answer = (value: unknown) => ({ jsonrpc: "2.0", id: 1, result: value });
const read = (body: unknown) =>
  fetchFeeHistory(createRecordedContext({ now_ms: 0, bodies: { "evm_rpc POST base": body } }), {
    chain: "base",
    percentiles: [25, 50, 75],
  });
const kindOf = async (body: unknown) => {
  const error = await read(body).catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : error;
};

describe("fee history", () => {
  test("the last base fee is the next block's", async () => {
    const history = await read(answer(result()));
    expect(history.next_base_fee_wei).toBe(1_000_000_000);
    expect(history.tips_wei).toHaveLength(20);
    expect(history.tips_wei[0]).toEqual([0, 100_000_000, 200_000_000]);
  });

  test("twenty blocks and three percentiles are asked for", async () => {
    const bodies: unknown[] = [];
    const context = createRecordedContext({
      now_ms: 0,
      bodies: {
        "evm_rpc POST base": ({ body }: { body: unknown }) => {
          bodies.push(body);
          return answer(result());
        },
      },
    });
    await fetchFeeHistory(context, { chain: "base", percentiles: [25, 50, 75] });
    expect(bodies).toEqual([
      { jsonrpc: "2.0", id: 1, method: "eth_feeHistory", params: ["0x14", "latest", [25, 50, 75]] },
    ]);
  });

  test("a missing tip, too few blocks, a base fee of 0 and absurd values are refused", async () => {
    const absurd = "0x2386f26fc20000";
    const bodies = [
      { jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no such method" } },
      answer(null),
      answer(result({ reward: Array(19).fill(["0x0", "0x1", "0x2"]) })),
      answer(result({ reward: Array(20).fill(["0x0", "0x1"]) })),
      answer(result({ reward: Array(20).fill(["0x0", absurd, absurd]) })),
      answer(result({ reward: null })),
      answer(result({ baseFeePerGas: [...Array(20).fill("0x1"), "0x0"] })),
      answer(result({ baseFeePerGas: [...Array(20).fill("0x1"), absurd] })),
      answer(result({ baseFeePerGas: [...Array(20).fill("0x1"), 5] })),
      answer({ baseFeePerGas: ["0x1", "0x1"], reward: [["0x0", "0x1", "0x2"]] }),
    ];
    for (const body of bodies) expect(await kindOf(body)).toBe("upstream_bad_response");
  });
});
