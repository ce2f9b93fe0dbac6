import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { Mppx } from "mppx/client";
import { evm } from "mppx/evm/client";
import { Mppx as Mppx08 } from "mppx-0.8/client";
import { evm as evm08 } from "mppx-0.8/evm/client";
import { Mppx as Mppx09 } from "mppx-0.9/client";
import { evm as evm09 } from "mppx-0.9/evm/client";
import { Mppx as Mppx010 } from "mppx-0.10/client";
import { evm as evm010 } from "mppx-0.10/evm/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { ExactEvmScheme as Exact214 } from "x402-evm-2.14/exact/client";
import { ExactEvmScheme as Exact217 } from "x402-evm-2.17/exact/client";
import { ExactEvmScheme as Exact220 } from "x402-evm-2.20/exact/client";
import { ExactEvmScheme as Exact223 } from "x402-evm-2.23/exact/client";
import { ExactEvmScheme as Exact225 } from "x402-evm-2.25/exact/client";
import { x402Client as Client214, wrapFetchWithPayment as wrap214 } from "x402-fetch-2.14";
import { x402Client as Client217, wrapFetchWithPayment as wrap217 } from "x402-fetch-2.17";
import { x402Client as Client220, wrapFetchWithPayment as wrap220 } from "x402-fetch-2.20";
import { x402Client as Client223, wrapFetchWithPayment as wrap223 } from "x402-fetch-2.23";
import { x402Client as Client225, wrapFetchWithPayment as wrap225 } from "x402-fetch-2.25";
import { EFFORT } from "../helpers/effort.ts";
import { WALLETS } from "../helpers/money-node.ts";
import { createCall, type ProductNode, startProductNode } from "../helpers/product-node.ts";
import { noteSecret } from "../helpers/secrets.ts";

/** Releases of the last six months, unmodified, against a node that offers three networks and two protocols. */
let node: ProductNode;
const CONFIG = `
[wallets.solana]
pay_to = "${WALLETS.solana}"
[wallets.algorand]
pay_to = "${WALLETS.algorand}"
`;
beforeAll(async () => {
  node = await startProductNode({ seed_history: false, config: CONFIG });
});
afterAll(() => node.stop());

/** As people call it: an address and what goes with it. */
type Pay = (input: Request | string, init?: RequestInit) => Promise<Response>;
type Account = ReturnType<typeof privateKeyToAccount>;

/** Each release has types of its own for what is the same at run time. */
interface MppRelease {
  readonly create: (options: never) => { readonly fetch: Pay };
  readonly charge: (options: never) => unknown;
  readonly usdc: unknown;
}
interface X402Release {
  readonly wrap: (fetch: never, client: never) => unknown;
  readonly Client: new () => { register(network: never, scheme: never): unknown };
  readonly Exact: new (account: never) => unknown;
}

const payByMPP =
  ({ create, charge, usdc }: MppRelease) =>
  (account: Account): Pay => {
    const method = charge({ account, currencies: [usdc] } as never);
    return create({ methods: [method], polyfill: false } as never).fetch;
  };
const payByX402 =
  ({ wrap, Client, Exact }: X402Release) =>
  (account: Account): Pay => {
    const client = new Client();
    client.register("eip155:*" as never, new Exact(account as never) as never);
    return wrap(fetch as never, client as never) as Pay;
  };

const MPP: Readonly<Record<string, MppRelease>> = {
  "mppx 0.8.19": { create: Mppx08.create, charge: evm08.charge, usdc: evm08.assets.baseSepolia.USDC },
  "mppx 0.9.3": { create: Mppx09.create, charge: evm09.charge, usdc: evm09.assets.baseSepolia.USDC },
  "mppx 0.10.1": { create: Mppx010.create, charge: evm010.charge, usdc: evm010.assets.baseSepolia.USDC },
  "mppx 0.11.0": { create: Mppx.create, charge: evm.charge, usdc: evm.assets.baseSepolia.USDC },
};
const X402: Readonly<Record<string, X402Release>> = {
  "@x402/fetch 2.14": { wrap: wrap214, Client: Client214, Exact: Exact214 },
  "@x402/fetch 2.17": { wrap: wrap217, Client: Client217, Exact: Exact217 },
  "@x402/fetch 2.20": { wrap: wrap220, Client: Client220, Exact: Exact220 },
  "@x402/fetch 2.23": { wrap: wrap223, Client: Client223, Exact: Exact223 },
  "@x402/fetch 2.25": { wrap: wrap225, Client: Client225, Exact: Exact225 },
  "@x402/fetch 2.27": { wrap: wrapFetchWithPayment, Client: x402Client, Exact: ExactEvmScheme },
};
const RELEASES: readonly (readonly [string, (account: Account) => Pay])[] = [
  ...Object.entries(MPP).map(([name, release]) => [name, payByMPP(release)] as const),
  ...Object.entries(X402).map(([name, release]) => [name, payByX402(release)] as const),
];

const POSTED = "/portfolio-stress";
const JSON_TYPE = { "content-type": "application/json" };
/** A plain call, one with a query, one with a body; with full counts every product by its example. */
const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["/fear-greed", {}],
  ["/forex-rate", { pair: "EUR/USD" }],
  [POSTED, { positions: JSON.stringify([{ asset: "BTC", quantity: 1 }]) }],
];
const listCalls = (): typeof CALLS =>
  EFFORT === "quick" ? CALLS : [...CALLS, ...node.products.map(({ path, example }) => [path, example.params] as const)];

describe.each(RELEASES)("%s", (_, createPay) => {
  test("buys a plain call, one with a query and one with a body, each for one settlement", async () => {
    for (const [path, params] of listCalls()) {
      const product = node.products.find((one) => one.path === path);
      if (!product) throw new Error(`${path} is not offered`);
      const key = generatePrivateKey();
      noteSecret(key);
      const before = node.settlements();
      const pay = createPay(privateKeyToAccount(key));
      const response = await (path === POSTED
        ? pay(`${node.url}${path}`, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(params) })
        : pay(createCall(node.url, product, params)));
      const answer = (await response.json()) as { product?: string; code?: string };
      // What has no data yet is not sold, whoever asks; the quick calls always have some.
      if (response.status === 503 && !CALLS.some(([quick]) => quick === path)) continue;
      expect([path, response.status, answer.code]).toEqual([path, 200, undefined]);
      expect(node.settlements()).toBe(before + 1);
    }
  });
});
