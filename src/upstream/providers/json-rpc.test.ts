import { expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { createTestProvider } from "../../../test/helpers/fake-upstream.ts";
import type { FetchContext } from "../../catalog/context.ts";
import { fetchRPC } from "./json-rpc.ts";

const HexWords = Type.String();
const Slots = Type.Integer();

test("calls whose results are of one shape are checked by one schema: it is compiled once", async () => {
  const seen: TSchema[] = [];
  const get: FetchContext["get"] = async (_provider, request) => {
    seen.push(request.schema);
    return JSON.parse('{ "jsonrpc": "2.0", "result": "0x" }');
  };
  const call = (result: TSchema) =>
    fetchRPC({ get }, createTestProvider(), {
      chain: "base",
      method: "eth_call",
      params: [],
      result,
      ttl_ms: 0,
      read: () => ({ ok: true }),
    });
  for (const result of [HexWords, HexWords, Slots, HexWords]) await call(result).catch(() => undefined);
  expect(seen.map((schema) => schema === seen[0])).toEqual([true, true, false, true]);
});
