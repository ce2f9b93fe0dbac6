import type { Command } from "commander";
import { CONFIG, DATA, type Finish, JSON_FLAG, ofPeriod } from "./command-options.ts";

/** Commands that tell of sales: all of a period, or the whole story of one. */
export function addSales(program: Command, finish: Finish): void {
  ofPeriod(program.command("sales"))
    .description("one line per settled payment of a period, or sums of them; works while the node runs")
    .option("--by <what>", "sums by product, network, payer, access, label or day")
    .option("--method <method>", "received: payments, when they came in; earned: what they paid for", "received")
    .option("--csv", "one table with one header", false)
    .option(...DATA)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./sales.ts")).salesCommand(options)));
  program
    .command("find")
    .description("the whole story of a payment, call, key or channel; works while the node runs")
    .argument("<word>", "transaction, payer, id of a receipt, payment, call, voucher, key or request, or a key's label")
    .option("--url <url>", "address of the running node, for the id of a request")
    .option(...DATA)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (word, options) => finish(await (await import("./find.ts")).findCommand(word, options)));
}
