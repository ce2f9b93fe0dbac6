import { PAYING_FETCH } from "./evm-snippets.ts";
import { findNetwork, priceNote, privateKey } from "./shop.ts";
import type { SnippetMaker } from "./types.ts";

export const curl: SnippetMaker = (shop) => {
  const { call_url: url, plan, product } = shop;
  return {
    id: "curl",
    title: "curl",
    language: "sh",
    requires: [],
    environment: { API_KEY: `a prepaid key${plan ? `, bought at ${plan.path}` : ""}` },
    runs: true,
    pays: "nothing, or a debit of the key",
    note: "What every client does, by hand: ask for the price, try for nothing, call with a prepaid key.",
    code: `# 402: the price and how to pay it, in the header PAYMENT-REQUIRED and in the body (${priceNote(shop)}).
curl -i -w "\\n" "${url}"

# Free: delayed data of the same shape, for the parameters that its preview_of names.
curl -s -w "\\n" "${product.url}?preview=1"

# With a prepaid key: 200, debited at the price.
curl -s -w "\\n" "${url}" -H "X-API-Key: $API_KEY"
`,
  };
};

/** What the official client pays at most for one call unless configured otherwise, atomic USDC. */
const CLIENT_LIMIT_ATOMIC = 1_000_000n;

export const prepaidKey: SnippetMaker = (shop) => {
  const { plan } = shop;
  if (!plan || !findNetwork(shop, "base")) return null;
  const is_dear = BigInt(plan.price_atomic) > CLIENT_LIMIT_ATOMIC;
  const spend = is_dear
    ? `client.setSpendControls({ maxAmountPerPayment: "$${plan.price_usd}" }); // it stops at 1 USDC otherwise\n`
    : "";
  return {
    id: "prepaid-key",
    title: "A prepaid key",
    language: "js",
    requires: ["@x402/fetch", "@x402/evm", "viem"],
    environment: privateKey(shop),
    runs: true,
    pays: `${plan.price_usd} USD`,
    note: "Pay once, then call with a header: no signature and no settlement per call. The key is shown once: keep it.",
    code: `import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const client = new x402Client().register("eip155:*", new ExactEvmScheme(account));
${spend}const pay = wrapFetchWithPayment(fetch, client);
const { api_key } = await (await pay("${plan.url}")).json(); // ${plan.price_usd} USD

const answer = await fetch("${shop.call_url}", { headers: { "X-API-Key": api_key } });
console.log(await answer.json());
`,
  };
};

export const walletSignIn: SnippetMaker = (shop) => {
  if (!findNetwork(shop, "base")) return null;
  return {
    id: "wallet-sign-in",
    title: "A wallet signs in",
    language: "js",
    requires: ["@x402/fetch", "@x402/evm", "@x402/extensions", "viem"],
    environment: privateKey(shop),
    runs: true,
    pays: priceNote(shop),
    note:
      "Buys once; then the wallet signs in (x402 extension `sign-in-with-x`), sees what it bought, and fetches the " +
      "answer again. Signing in is free; each signature is good for one request, for five minutes.",
    code: `import { ExactEvmScheme } from "@x402/evm/exact/client";
import { createSIWxClientHook } from "@x402/extensions/sign-in-with-x";
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

const account = privateKeyToAccount(process.env.PRIVATE_KEY);
const client = new x402Client().register("eip155:*", new ExactEvmScheme(account));
const pay = wrapFetchWithPayment(fetch, client);
await (await pay("${shop.call_url}")).text(); // ${priceNote(shop)}; say the answer was lost

const wallet = new x402HTTPClient(client).onPaymentRequired(createSIWxClientHook(account));
const signIn = wrapFetchWithPayment(fetch, wallet);
const { items } = await (await signIn("${shop.origin}/wallet/purchases")).json();
const { answer } = await (await signIn(items[0].answer.url)).json();
console.log(answer);
`,
  };
};

/** What a model may spend on one call in the loop, USD. */
const MODEL_LIMIT_USD = 0.1;

export const openaiLoop: SnippetMaker = (shop) => {
  if (!findNetwork(shop, "base")) return null;
  const limit_usd = Math.max(MODEL_LIMIT_USD, Number(shop.product.price_usd));
  return {
    id: "openai",
    title: "OpenAI function calling",
    language: "js",
    requires: ["openai", "@x402/fetch", "@x402/evm", "viem"],
    environment: {
      ...privateKey(shop),
      OPENAI_API_KEY: "yours",
      OPENAI_MODEL: "a model that calls functions; with OPENAI_BASE_URL of any compatible provider",
    },
    runs: true,
    pays: priceNote(shop),
    note:
      "Every product is a function: the loop hands the list to the model, pays for what it calls, and returns the " +
      `data. It offers nothing above ${limit_usd} USD a call, so no plans, and makes at most five turns.`,
    code: `import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPayment, x402Client } from "@x402/fetch";
import OpenAI from "openai";
import { privateKeyToAccount } from "viem/accounts";

${PAYING_FETCH}
const { tools: catalog } = await (await fetch("${shop.origin}/tools.json?format=openai")).json();
const offered = catalog.filter(({ method, price_usd }) => method === "GET" && Number(price_usd) <= ${limit_usd});
const tools = offered.map((entry) => ({ type: "function", function: entry.function }));

const openai = new OpenAI();
const messages = [{ role: "user", content: process.argv[2] ?? ${JSON.stringify(`Tell me: ${shop.product.title}`)} }];
for (let turn = 0; turn < 5; turn += 1) {
  const { choices } = await openai.chat.completions.create({ model: process.env.OPENAI_MODEL, messages, tools });
  const { message } = choices[0];
  messages.push(message);
  if (!message.tool_calls?.length) {
    console.log(message.content);
    break;
  }
  for (const { id, function: call } of message.tool_calls) {
    const { url, default_arguments } = offered.find((entry) => entry.function.name === call.name);
    const query = new URLSearchParams({ ...default_arguments, ...JSON.parse(call.arguments) });
    const answer = await pay(\`\${url}?\${query}\`);
    messages.push({ role: "tool", tool_call_id: id, content: await answer.text() });
  }
}
`,
  };
};

export const python: SnippetMaker = (shop) => {
  if (!findNetwork(shop, "base")) return null;
  return {
    id: "python",
    title: "Python: x402 with requests",
    language: "python",
    requires: ["x402[evm,requests]", "eth-account"],
    environment: privateKey(shop),
    runs: false,
    pays: priceNote(shop),
    note: "Checked for its syntax only: unlike the other snippets, the tests of this project do not run it.",
    code: `import os

from eth_account import Account
from x402 import x402ClientSync
from x402.http.clients import x402_requests
from x402.mechanisms.evm import EthAccountSigner
from x402.mechanisms.evm.exact.register import register_exact_evm_client

client = x402ClientSync()
register_exact_evm_client(client, EthAccountSigner(Account.from_key(os.environ["PRIVATE_KEY"])))
with x402_requests(client) as session:
    answer = session.get("${shop.call_url}")  # ${priceNote(shop)}
    print(answer.json())
`,
  };
};
