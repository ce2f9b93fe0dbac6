import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { fetchAccounts } from "./accounts.ts";

const OWNER = "REDSTBDUecGjwXd6YGPzHSvEUBHQqVRfCcjUVgPiHsr";
const account = { data: ["AQID", "base64"], owner: OWNER, lamports: 1, executable: false, space: 3 };
const answer = (result: unknown) => ({ jsonrpc: "2.0", id: 1, result });
const fetchWith = (body: unknown) =>
  fetchAccounts(createRecordedContext({ now_ms: 0, bodies: { "solana_rpc POST solana": body } }), ["A", "B"]);
const kindOf = async (body: unknown) => {
  const error = await fetchWith(body).catch((thrown: unknown) => thrown);
  return error instanceof UpstreamError ? error.kind : "no error";
};

describe("reading accounts", () => {
  test("gives bytes and owner in the order asked for, null for an account that is not there", async () => {
    const seen: unknown[] = [];
    const result = await fetchWith((request: { body: unknown }) => {
      seen.push(request.body);
      return answer({ context: { slot: 5 }, value: [null, account] });
    });
    expect(result).toEqual({
      slot: 5,
      accounts: [null, { address: "B", owner: OWNER, data: Buffer.from([1, 2, 3]) }],
    });
    expect(seen).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "getMultipleAccounts",
        params: [["A", "B"], { encoding: "base64", commitment: "confirmed" }],
      },
    ]);
  });

  test("an error member is refused although the call succeeded", async () => {
    const body = { jsonrpc: "2.0", id: 1, error: { code: -32005, message: "Node is behind by 42 slots" } };
    expect(await kindOf(body)).toBe("upstream_bad_response");
  });

  test("fewer accounts than asked for are refused", async () => {
    for (const value of [[], [account], [account, account, account]]) {
      expect(await kindOf(answer({ context: { slot: 5 }, value }))).toBe("upstream_bad_response");
    }
  });

  test("other shapes, encodings and nulls are refused", async () => {
    const context = { slot: 5 };
    for (const body of [
      null,
      {},
      { jsonrpc: null, id: null, result: null },
      { jsonrpc: "2.0", id: 1 },
      answer({ context: { slot: null }, value: [null, null] }),
      answer({ context, value: null }),
      answer({ context, value: [null, { ...account, data: ["AQID", "base58"] }] }),
      answer({ context, value: [null, { ...account, data: ["***", "base64"] }] }),
      answer({ context, value: [null, { ...account, data: ["A".repeat(16_000), "base64"] }] }),
      answer({ context, value: [null, { ...account, owner: null }] }),
    ]) {
      expect(await kindOf(body)).toBe("upstream_bad_response");
    }
  });
});

test("a caller that finds nothing useful in the accounts can refuse the answer", async () => {
  const bodies = { "solana_rpc POST solana": answer({ context: { slot: 5 }, value: [account] }) };
  const context = createRecordedContext({ now_ms: 0, bodies });
  const error = await fetchAccounts(context, ["A"], { refuse: ({ slot }) => `slot ${slot} is old` }).catch(String);
  expect(error).toBe("UpstreamError: slot 5 is old");
  expect(context.sources.map(({ ok }) => ok)).toEqual([false]);
});
