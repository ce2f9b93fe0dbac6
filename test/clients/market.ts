import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createSettableClock } from "../../src/core/clock.ts";
import { parseUSD } from "../../src/core/money.ts";
import { payingFetch } from "../helpers/demo-node.ts";
import { WALLETS } from "../helpers/money-node.ts";
import { startProductNode } from "../helpers/product-node.ts";
import type { Buyer, Said } from "./scratch.ts";

/** What each kind of call buys, and what its answer must hold. */
const CALLS: Readonly<Record<string, { readonly path: string; readonly holds: RegExp }>> = {
  plain: { path: "/fear-greed", holds: /"value":\s*\d/ },
  query: { path: "/forex-rate", holds: /EUR\/?USD/ },
  body: { path: "/portfolio-stress", holds: /"portfolio-stress"/ },
  tool: { path: "/fear-greed", holds: /value\W+\d/ },
  // Some hand over the text alone, which does not repeat what was asked.
  tool_arguments: { path: "/forex-rate", holds: /EUR\/?USD|"base\W+EUR\W+quote\W+USD/ },
  chat: { path: "/v1/chat/completions", holds: /"text":"[^"]{3}/ },
  chat_stream: { path: "/v1/chat/completions", holds: /"text":"[^"]{3}/ },
};

/** What a release bought, and the first thing that was not as it should be. */
export interface Judgement {
  readonly bought: readonly string[];
  readonly error: string | null;
}

/** A node that sells to one release after the other and knows what each was charged. */
export interface Market {
  newBuyer(): Promise<Buyer>;
  judge(buyer: Buyer, said: readonly Said[]): Promise<Judgement>;
  stop(): Promise<void>;
}

const CONFIG = `
[wallets.solana]
pay_to = "${WALLETS.solana}"
[wallets.algorand]
pay_to = "${WALLETS.algorand}"
[plans.buy_credits]
price = "1"
`;

interface Settled {
  readonly payer: string;
  readonly amount_atomic: string;
}
interface Line {
  readonly kind: string;
  readonly product?: string;
}

/** The first call whose answer is not the data it asked for. */
function findWrong(said: readonly Said[]): string | null {
  for (const { call, answer, error } of said) {
    if (error !== undefined) return call === undefined ? error : `${call}: ${error}`;
    if (call !== undefined && !CALLS[call]?.holds.test(answer ?? "")) return `${call}: answered ${answer}`;
  }
  return null;
}

/** Starts the whole catalog on sandbox money; its clock goes, as its buyers' does. */
export async function openMarket(): Promise<Market> {
  const node = await startProductNode({ seed_history: false, config: CONFIG, clock: createSettableClock() });
  const priceOf = (path: string): string => {
    const product = node.products.find((one) => one.path === path);
    if (!product) throw new Error(`${path} is not offered`);
    return parseUSD(product.price_usd).toString();
  };
  /** What a wallet paid, call by call. */
  const readPaid = async (address: string): Promise<readonly string[]> => {
    const { settlements } = (await node.control("/chain")) as { settlements: readonly Settled[] };
    return settlements
      .filter(({ payer }) => payer.toLowerCase() === address.toLowerCase())
      .map(({ amount_atomic }) => amount_atomic);
  };
  /** What a key was debited for, oldest first. */
  const readDebited = async (api_key: string): Promise<readonly string[]> => {
    const answer = await fetch(`${node.url}/statement`, { headers: { "X-API-Key": api_key } });
    const { items } = (await answer.json()) as { items: readonly Line[] };
    return items
      .filter(({ kind }) => kind === "call")
      .map(({ product }) => product ?? "")
      .reverse();
  };
  return {
    async newBuyer() {
      const bought = await payingFetch()(`${node.url}/buy-credits`);
      const { api_key } = (await bought.json()) as { api_key: string };
      return { url: node.url, private_key: generatePrivateKey(), api_key };
    },
    async judge({ private_key, api_key }, said) {
      const wrong = findWrong(said);
      const calls = said.flatMap(({ call, answer }) => (call !== undefined && answer !== undefined ? [call] : []));
      const bought = wrong === null ? calls : calls.filter((call) => !wrong.startsWith(`${call}: `));
      const paths = calls.map((call) => CALLS[call]?.path ?? "");
      const wallet = await readPaid(privateKeyToAccount(private_key as `0x${string}`).address);
      const key = await readDebited(api_key);
      if (wrong !== null) return { bought, error: wrong };
      // By the wallet or by the key, as the client pays: never by both.
      const asked = [
        { wallet: paths.map(priceOf), key: [] },
        { wallet: [], key: paths },
      ].map((one) => JSON.stringify(one));
      const charged = JSON.stringify({ wallet, key: key.map((id) => `/${id}`) });
      return { bought, error: asked.includes(charged) ? null : `charged ${charged} for ${calls.join(", ")}` };
    },
    stop: () => node.stop(),
  };
}
