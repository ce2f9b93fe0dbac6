import { findNetwork, priceNote, privateKey } from "./shop.ts";
import type { QuickStart, Shop, SnippetMaker } from "./types.ts";

/** A snippet that pays once on Base; null on a node that is not paid there. */
const paysOnBase =
  (make: (shop: Shop) => Omit<QuickStart, "language" | "environment" | "runs" | "pays">): SnippetMaker =>
  (shop) =>
    findNetwork(shop, "base")
      ? {
          ...make(shop),
          language: "js",
          environment: privateKey(shop),
          runs: true,
          pays: priceNote(shop),
        }
      : null;

/** Lines that make `pay`: fetch that pays on Base. */
export const PAYING_FETCH = `const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const pay = wrapFetchWithPayment(fetch, new x402Client().register("eip155:*", new ExactEvmScheme(account)));`;

export const x402Fetch = paysOnBase((shop) => ({
  id: "x402-fetch",
  title: "@x402/fetch (x402 version 2)",
  requires: ["@x402/fetch", "@x402/evm", "viem"],
  note: "fetch that pays: it meets the 402, signs and sends the call again. It refuses to pay more than 1 USDC a call.",
  code: `import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

${PAYING_FETCH}
const answer = await pay("${shop.call_url}"); // ${priceNote(shop)}
console.log(await answer.json());
`,
}));

export const x402FetchV1 = paysOnBase((shop) => ({
  id: "x402-fetch-v1",
  title: "x402-fetch (x402 version 1)",
  requires: ["x402-fetch", "viem"],
  note: "For programs that still speak version 1: add `x402Version=1` to the address, nothing else changes.",
  code: `import { privateKeyToAccount } from "viem/accounts";
import { wrapFetchWithPayment } from "x402-fetch";

const pay = wrapFetchWithPayment(fetch, privateKeyToAccount(process.env.PRIVATE_KEY));
const answer = await pay("${addQuery(shop.call_url, "x402Version=1")}"); // ${priceNote(shop)}
console.log(await answer.json());
`,
}));

export const x402Axios = paysOnBase((shop) => ({
  id: "x402-axios",
  title: "@x402/axios",
  requires: ["@x402/axios", "@x402/evm", "axios", "viem"],
  note: "The same for axios.",
  code: `import { wrapAxiosWithPayment, x402Client } from "@x402/axios";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import axios from "axios";
import { privateKeyToAccount } from "viem/accounts";

const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const client = new x402Client().register("eip155:*", new ExactEvmScheme(account));
const { data } = await wrapAxiosWithPayment(axios.create(), client).get("${shop.call_url}"); // ${priceNote(shop)}
console.log(data);
`,
}));

export const viemByHand = paysOnBase((shop) => {
  const network = findNetwork(shop, "base");
  return {
    id: "viem",
    title: "viem, without an x402 package",
    requires: ["viem"],
    note:
      "The protocol itself: read one entry of the 402, sign an EIP-3009 authorization over exactly that, send it in " +
      "`PAYMENT-SIGNATURE`. It pays no other asset and no higher price than the ones written in it.",
    code: `import { toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

const url = "${shop.call_url}";
const account = privateKeyToAccount(process.env.PRIVATE_KEY);

const { headers } = await fetch(url); // 402
const required = JSON.parse(Buffer.from(headers.get("PAYMENT-REQUIRED"), "base64").toString());
const accepted = required.accepts.find(
  ({ network, asset, amount }) =>
    network === "${network?.network}" && // ${network?.title}
    asset === "${network?.asset}" && // USDC
    BigInt(amount) <= ${shop.product.price_atomic}n, // ${shop.product.price_usd} USD
);
if (!accepted) throw new Error("the price went up");

const authorization = {
  from: account.address,
  to: accepted.payTo,
  value: accepted.amount,
  validAfter: "0",
  validBefore: String(Math.floor(Date.now() / 1000) + accepted.maxTimeoutSeconds),
  nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
};
const signature = await account.signTypedData({
  domain: {
    name: accepted.extra.name,
    version: accepted.extra.version,
    chainId: Number(accepted.network.split(":")[1]),
    verifyingContract: accepted.asset,
  },
  types: {
    TransferWithAuthorization: [
      { name: "from", type: "address" },
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
      { name: "validAfter", type: "uint256" },
      { name: "validBefore", type: "uint256" },
      { name: "nonce", type: "bytes32" },
    ],
  },
  primaryType: "TransferWithAuthorization",
  message: authorization,
});

const payment = { x402Version: 2, resource: required.resource, accepted, payload: { signature, authorization } };
const header = Buffer.from(JSON.stringify(payment)).toString("base64");
const answer = await fetch(url, { headers: { "PAYMENT-SIGNATURE": header } });
console.log(await answer.json());
`,
  };
});

/** Adds a parameter to an address that may have some. */
function addQuery(url: string, query: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${query}`;
}
