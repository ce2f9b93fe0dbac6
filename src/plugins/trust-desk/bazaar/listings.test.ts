import { expect, test } from "bun:test";
import { type FetchContext, findUSDC } from "intel-node";
import { cdpBazaar } from "../providers/cdp-bazaar/provider.ts";
import { fetchListings } from "./listings.ts";

type Term = Readonly<Record<string, unknown>>;
const term = (network: string, change: Term = {}): Term => ({
  scheme: "exact",
  network,
  amount: "10000",
  asset: findUSDC(network)?.asset ?? "",
  payTo: "anybody",
  ...change,
});

/** The networks of the listings a register's page with these sellers comes to. */
async function networksOf(...sellers: readonly (readonly Term[])[]): Promise<readonly string[]> {
  const items = sellers.map((accepts, index) => ({ resource: `https://seller-${index}.example/`, accepts }));
  const page = { items, pagination: { total: items.length } };
  const get = ((_: unknown, { read }: { read: (page: unknown) => unknown }) =>
    Promise.resolve(read(page))) as unknown as FetchContext["get"];
  const { listings } = await fetchListings({ get }, cdpBazaar);
  return listings.map(({ network }) => network);
}

test("a listing counts on whatever main network its USDC is Circle's own, in any spelling", async () => {
  const names = ["base", "polygon", "avalanche", "eip155:42161", "eip155:1", "solana"];
  expect(await networksOf(...names.map((name) => [term(name)]))).toEqual([
    ...["eip155:8453", "eip155:137", "eip155:43114", "eip155:42161", "eip155:1"],
    "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
  ]);
  const hash = "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8";
  const algorand = "algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k";
  expect(await networksOf([term(hash)], [term(`${hash}=`)])).toEqual([algorand, algorand]);
});

test("a test network that is named first hides no main network", async () => {
  expect(await networksOf([term("base-sepolia"), term("base")])).toEqual(["eip155:8453"]);
  expect(await networksOf([term("base-sepolia")], [term("base", { asset: findUSDC("polygon")?.asset })])).toEqual([]);
});
