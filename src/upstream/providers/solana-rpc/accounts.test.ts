import { describe, expect, test } from "bun:test";
import { createRecordedContext } from "../../../../test/helpers/product-harness.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { UpstreamError } from "../../../core/errors.ts";
import { fetchAccounts } from "./accounts.ts";
import { TOKEN_PROGRAM } from "./mint.ts";
import { fetchMintPowers, TOKEN_2022_PROGRAM } from "./token-mint.ts";

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
      accounts: [null, { address: "B", owner: OWNER, data: Buffer.from([1, 2, 3]), bytes: 3 }],
    });
    expect(seen).toEqual([
      {
        jsonrpc: "2.0",
        id: 1,
        method: "getMultipleAccounts",
        params: [["A", "B"], { encoding: "base64", commitment: "confirmed", dataSlice: { offset: 0, length: 10_240 } }],
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
      answer({ context, value: [null, { ...account, owner: null }] }),
    ]) {
      expect(await kindOf(body)).toBe("upstream_bad_response");
    }
  });
});

test.each([
  ["its first bytes, as asked", 10_240],
  ["all of it", 20_000],
])("an account of 20,000 bytes is an account, though the node sends %s", async (_, sent) => {
  const data = [Buffer.alloc(sent, 7).toString("base64"), "base64"];
  const { accounts } = await fetchWith(
    answer({ context: { slot: 5 }, value: [null, { ...account, data, space: 20_000 }] }),
  );
  expect(accounts[1]).toMatchObject({ owner: OWNER, bytes: 20_000 });
  expect(accounts[1]?.data).toEqual(Buffer.alloc(10_240, 7));
});

describe("what an address turns out to be", () => {
  const NOW_S = 1_790_000_000;
  /** Of a node whose newest slot is so old. */
  const readAccount = (account: object | null, age_s = 1) => {
    const say = ({ body }: { body: unknown }) =>
      (body as { method: string }).method === "getBlockTime"
        ? answer(NOW_S - age_s)
        : answer({ context: { slot: 5 }, value: [account] });
    const context = createRecordedContext({ now_ms: NOW_S * 1000, bodies: { "solana_rpc POST solana": say } });
    return fetchMintPowers(context, "A");
  };
  const read = (owner: string, bytes: Uint8Array, space = bytes.length) =>
    readAccount({ data: [Buffer.from(bytes).toString("base64"), "base64"], owner, space });
  const mintOf2022 = (bytes: number): Uint8Array => {
    const data = new Uint8Array(bytes);
    data[45] = 1;
    data[165] = 1;
    return data;
  };

  test("a lookup table and a program, of any size, are no mint", async () => {
    for (const space of [56 + 32 * 200, 56 + 32 * 256, 5_000_000]) {
      const lookup = await read(
        "AddressLookupTab1e1111111111111111111111111",
        new Uint8Array(Math.min(space, 10_240)),
        space,
      );
      expect(lookup).toEqual({ kind: "no_mint", slot: 5 });
    }
  });

  test("a multisig is no mint, though bytes of its signers stand where a mint says that it is one", async () => {
    for (const owner of [TOKEN_2022_PROGRAM, TOKEN_PROGRAM]) {
      // 3 signatures of 8, initialised; then 11 keys: byte 45 is of the second, byte 165 of the sixth.
      const multisig = new Uint8Array(355);
      for (const [at, byte] of [3, 8, 1].entries()) multisig[at] = byte;
      for (const at of [45, 165]) multisig[at] = 1;
      expect(await read(owner, multisig)).toEqual({ kind: "no_mint", slot: 5 });
    }
  });

  test("a wallet, a program, a token account and a mint that is not initialised are no mint", async () => {
    const system = "1".repeat(32);
    const holder = mintOf2022(170);
    holder[165] = 2;
    for (const [owner, bytes] of [
      [system, new Uint8Array()],
      ["BPFLoaderUpgradeab1e11111111111111111111111", new Uint8Array(36)],
      ["Stake11111111111111111111111111111111111111", new Uint8Array(200)],
      [TOKEN_PROGRAM, new Uint8Array(165).fill(1)],
      [TOKEN_PROGRAM, new Uint8Array(82)],
      [TOKEN_2022_PROGRAM, new Uint8Array(82)],
      [TOKEN_2022_PROGRAM, holder],
      // Its program's layout, another program's account.
      [system, mintOf2022(170)],
    ] as const) {
      expect(await read(owner, bytes), `${owner} ${bytes.length}`).toEqual({ kind: "no_mint", slot: 5 });
    }
  });

  test("that there is no account is not believed of a node that is behind", async () => {
    expect(await readAccount(null)).toEqual({ kind: "no_account", slot: 5 });
    await expect(readAccount(null, 301)).rejects.toThrow("the newest block is 301 s old");
  });

  test("a mint of which a part was not read is not known", async () => {
    expect(await read(TOKEN_2022_PROGRAM, mintOf2022(10_240))).toMatchObject({ kind: "mint" });
    await expect(read(TOKEN_2022_PROGRAM, mintOf2022(10_240), 10_241)).rejects.toThrow("the mint is too long");
  });
});

test("a caller that finds nothing useful in the accounts can refuse the answer", async () => {
  const bodies = { "solana_rpc POST solana": answer({ context: { slot: 5 }, value: [account] }) };
  const context = createRecordedContext({ now_ms: 0, bodies });
  const error = await fetchAccounts(context, ["A"], { refuse: ({ slot }) => unusable(`slot ${slot} is old`) }).catch(
    String,
  );
  expect(error).toBe("UpstreamError: slot 5 is old");
  expect(context.sources.map(({ ok }) => ok)).toEqual([false]);
});
