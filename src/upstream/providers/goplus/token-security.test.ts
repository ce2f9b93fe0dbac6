import { expect, test } from "bun:test";
import type { FetchContext } from "../../../catalog/context.ts";
import { fetchTokenSecurity, type GoplusRow } from "./token-security.ts";

const TOKEN = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const HOLDER = { address: "0x37305b1cd40574e4c5ce33f8e8306be057fd7341", percent: "0.25", is_locked: 0 };
const ROW = { is_honeypot: "0", is_open_source: "1", buy_tax: "0", sell_tax: "1", creator_percent: "0.1" };

/** What is read of a row as GoPlus would send it. */
async function read(row: object): Promise<GoplusRow> {
  const get = async (_: unknown, { read: readAnswer }: { read: (answer: unknown) => unknown }) =>
    readAnswer({ code: 1, message: "OK", result: { [TOKEN]: row } });
  return fetchTokenSecurity({ get } as unknown as Pick<FetchContext, "get">, { chain: "ethereum", token: TOKEN });
}

test("shares from none to all are read as they are", async () => {
  const row = { ...ROW, holders: [HOLDER, { ...HOLDER, percent: "1.0000000001" }], lp_holders: [HOLDER] };
  expect(await read(row)).toMatchObject(row);
});

test.each(["-0.01", "1.5", "1e90", 40])("a share of %p says nothing, and a list with one is none", async (percent) => {
  const bent = { ...HOLDER, percent };
  const got = await read({ ...ROW, holders: [HOLDER, bent], lp_holders: [bent], creator_percent: percent });
  expect(got).toMatchObject({ holders: null, lp_holders: null, creator_percent: null, sell_tax: "1" });
  const taxed = await read({ ...ROW, holders: [HOLDER], sell_tax: percent });
  expect(taxed).toMatchObject({ holders: [HOLDER], sell_tax: null, buy_tax: "0" });
});
