import { createHash } from "node:crypto";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { encodeHeader, peekHeader } from "../../../src/payments/codec.ts";
import { signPayment } from "../../helpers/gate-bench.ts";
import type { Shop } from "./year-shop.ts";
import type { YearWorld } from "./year-world.ts";

const BUYERS = 20;
/** Of one payer, three payments are settled at the same time. */
const AT_ONCE = 6;
const PATHS = ["/spot", "/rate", "/fixed"] as const;
/** What a buyer brings along: nobody is in want of money in this year. */
const PURSE = 1_000_000_000_000n;

/** What the buyers know of their money. Atomic USDC. */
export interface Tally {
  /** Payments that were answered, and what they were of. */
  payments: number;
  paid: bigint;
  /** Calls by key that were answered. */
  calls: number;
  called: bigint;
  /** Of the payments, those for credit. */
  credit: bigint;
  /** Of the payments, those that a facilitator only said it had settled. */
  lied: bigint;
  /** Calls that were refused; none of them was charged. */
  refused: number;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly receipt_id: string | null;
}

const createAccount = (n: number): PrivateKeyAccount =>
  privateKeyToAccount(`0x${createHash("sha256").update(`buyer ${n}`).digest("hex")}`);

const readRequirement = (challenge: Response) => {
  const { accepts } = peekHeader(challenge.headers.get("PAYMENT-REQUIRED") ?? "") as {
    readonly accepts: readonly { readonly scheme: string; readonly amount: string; readonly payTo: string }[];
  };
  const [first] = accepts.filter(({ scheme }) => scheme === "exact");
  if (!first) throw new Error("nothing is asked for");
  return first;
};

/** Some at once, in their order. */
async function runAll(work: readonly (() => Promise<void>)[]): Promise<void> {
  for (let from = 0; from < work.length; from += AT_ONCE) {
    await Promise.all(work.slice(from, from + AT_ONCE).map((run) => run()));
  }
}

/** Those who buy all year, by payments of their own and by one key that one of them fills up. */
export function createBuyers(world: YearWorld, shop: Shop) {
  const accounts = Array.from({ length: BUYERS }, (_, n) => createAccount(n));
  for (const { address } of accounts) world.chain.fund(address, PURSE);
  let tally: Tally = { payments: 0, paid: 0n, calls: 0, called: 0n, credit: 0n, lied: 0n, refused: 0 };
  let api_key = "";
  let asked = 0;
  const faults: string[] = [];

  const refuse = (path: string, { status, body }: Answer): void => {
    tally.refused += 1;
    if (body.charged === false || status === 402 || status === 410) return;
    faults.push(`${path}: ${status} ${JSON.stringify(body)}`);
  };
  const nextQuery = (): string => {
    asked += 1;
    return `q=${asked}`;
  };
  const read = async (response: Response): Promise<Answer> => ({
    status: response.status,
    body: (await response.json()) as Answer["body"],
    receipt_id: response.headers.get("X-Receipt-Id"),
  });

  /** Pays for one answer, as it is asked for now. */
  async function pay(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const url = `${shop.url}${path}${path.includes("?") ? "&" : "?"}${path.startsWith("/buy-") ? "" : nextQuery()}`;
    const challenge = await fetch(url);
    if (challenge.status !== 402) return read(challenge);
    await challenge.arrayBuffer();
    const accepted = readRequirement(challenge);
    const account = accounts[asked % BUYERS] as PrivateKeyAccount;
    const payload = await signPayment(
      { account, value: BigInt(accepted.amount), to: accepted.payTo },
      world.clock.world(),
    );
    const signature = encodeHeader({ x402Version: 2, accepted, payload });
    const answer = await read(await fetch(url, { headers: { ...headers, "PAYMENT-SIGNATURE": signature } }));
    if (answer.status !== 200) {
      refuse(path, answer);
      return answer;
    }
    const amount = BigInt(accepted.amount);
    tally.payments += 1;
    tally.paid += amount;
    if (path.startsWith("/buy-")) tally.credit += amount;
    return answer;
  }

  /** Fills the key up, or buys it. */
  async function buyCredit(): Promise<void> {
    const { status, body } = await pay("/buy-credits", api_key === "" ? {} : { "X-API-Key": api_key });
    if (status !== 200) throw new Error(`no credit: ${status} ${JSON.stringify(body)}`);
    if (typeof body.api_key === "string") api_key = body.api_key;
  }

  async function call(path: (typeof PATHS)[number]): Promise<Answer> {
    const answer = await read(await fetch(`${shop.url}${path}?${nextQuery()}`, { headers: { "X-API-Key": api_key } }));
    if (answer.status !== 200) refuse(path, answer);
    else {
      tally.calls += 1;
      tally.called += BigInt(Math.round(Number(shop.terms.prices[path]) * 1_000_000));
    }
    return answer;
  }

  return {
    pay,
    call,
    buyCredit,
    /** One hour's worth of customers. */
    async buy({ payments, calls }: { readonly payments: number; readonly calls: number }): Promise<void> {
      const pathOf = (n: number) => PATHS[n % PATHS.length] ?? "/fixed";
      await runAll([
        ...Array.from({ length: payments }, (_, n) => async () => void (await pay(pathOf(n)))),
        ...Array.from({ length: calls }, (_, n) => async () => void (await call(pathOf(n)))),
      ]);
    },
    get tally(): Tally {
      return tally;
    },
    /** What the books are about to be: as they were at some time, after a restore. */
    setTally(to: Tally): void {
      tally = { ...to };
    },
    noteLie(amount: bigint): void {
      tally.lied += amount;
    },
    async readBalance(): Promise<bigint> {
      const headers = { "X-API-Key": api_key };
      const { body } = await read(await fetch(`${shop.url}/credits-status`, { headers }));
      return BigInt(String(body.balance_atomic));
    },
    /** Refusals that were charged, or did not say. */
    faults,
  };
}
export type Buyers = ReturnType<typeof createBuyers>;
