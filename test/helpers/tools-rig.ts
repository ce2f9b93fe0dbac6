import { afterEach, beforeEach } from "bun:test";
import { callTool, payTool, type ToolResult } from "./mcp.ts";
import { type MoneyNode, startMoneyNode } from "./money-node.ts";
import { PAYERS, type Payer } from "./payers.ts";

type Members = Record<string, unknown>;

/** A new node before every test, and somebody with USDC on Base who pays for its tools. */
export function createToolsRig() {
  const [base] = PAYERS;
  if (!base) throw new Error("nobody pays");
  let money: MoneyNode;
  let payer: Payer;
  let before = 0;
  beforeEach(async () => {
    money = await startMoneyNode();
    payer = await base.newPayer(money.url);
    before = money.work.produced;
  });
  afterEach(() => money.stop());
  return {
    get money() {
      return money;
    },
    get payer() {
      return payer;
    },
    /** Answers made before the test: the node's previews. */
    get before() {
      return before;
    },
    /** Answers made since. */
    made: () => money.work.produced - before,
    sign: (name = "one") => payTool(money.url, name, payer),
    pay: (payment: unknown, args: Members = {}, name = "one") =>
      callTool(money.url, name, { args, meta: { "x402/payment": payment } }),
    get: (path: string, headers: Record<string, string>) => fetch(`${money.url}${path}`, { headers }),
  };
}

export const dataOf = ({ structuredContent }: ToolResult) => structuredContent?.data as { n: number } | undefined;
