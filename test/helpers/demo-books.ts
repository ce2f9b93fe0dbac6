import { setSystemTime } from "bun:test";
import type { PrivateKeyAccount } from "viem/accounts";
import { BINARY, type DemoNode, newPayer, signFor } from "./demo-node.ts";

/** One transfer on the sandbox chain, as its control door tells it. */
export interface Settlement {
  readonly payer: string;
  readonly pay_to: string;
  readonly amount_atomic: string;
  readonly transaction: string;
}

export interface Chain {
  readonly balances: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly settlements: readonly Settlement[];
}

export const readChain = async (node: DemoNode): Promise<Chain> => (await node.control("/chain")) as unknown as Chain;

/** What a payer really paid. */
export const settlementsOf = async (node: DemoNode, payer: string): Promise<readonly Settlement[]> =>
  (await readChain(node)).settlements.filter((one) => one.payer.toLowerCase() === payer.toLowerCase());

export const settleCalls = async (node: DemoNode): Promise<number> =>
  Number((await node.control("/facilitator")).settle_calls);

/** `ledger audit` beside the running node. */
export function auditOf({ data }: { readonly data: string }) {
  const child = Bun.spawnSync([BINARY, "ledger", "audit", "--data", data, "--json"]);
  return { code: child.exitCode, report: JSON.parse(child.stdout.toString()) };
}

/** Signs at the node's own time, which the test has moved. One at a time: it moves the time of the whole process. */
export async function signAhead(node: DemoNode, path: string, account: PrivateKeyAccount = newPayer()) {
  const { now } = await node.control("/clock");
  setSystemTime(new Date(String(now)));
  try {
    return await signFor(node, path, account);
  } finally {
    setSystemTime();
  }
}
