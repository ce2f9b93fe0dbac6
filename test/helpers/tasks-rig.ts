import { afterEach, beforeEach } from "bun:test";
import { A2A_BUYERS, type A2ABuyer, type AnyObject, type SeenTask } from "./a2a-buyers.ts";
import { type MoneyNode, startMoneyNode } from "./money-node.ts";
import { PAYERS } from "./payers.ts";

const [, [, startBuyer]] = A2A_BUYERS;

/** A new node before every test, and a client of A2A 1.0 whose tasks are paid for with USDC on Base. */
export function createTasksRig() {
  const [base] = PAYERS;
  if (!base) throw new Error("nobody pays");
  let money: MoneyNode;
  let buyer: A2ABuyer;
  beforeEach(async () => {
    money = await startMoneyNode();
    buyer = await startBuyer(money.url, {});
  });
  afterEach(() => money.stop());
  return {
    get money() {
      return money;
    },
    get buyer() {
      return buyer;
    },
    network: base.network,
    /** Another client of the same node. */
    startBuyer: (headers: Record<string, string>) => startBuyer(money.url, headers),
    newPayer: () => base.newPayer(money.url),
    challenge: () => buyer.send({ skill: "one", params: { q: "a" } }),
    pay: (asked: SeenTask, metadata: AnyObject) => buyer.send({ task: asked.id, text: "Here it is.", metadata }),
  };
}
