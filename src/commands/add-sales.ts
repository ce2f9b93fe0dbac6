import type { Command } from "commander";
import { CONFIG, DATA, type Finish, JSON_FLAG } from "./command-options.ts";

/** Commands that tell of sales: all of a period, or the whole story of one. */
export function addSales(program: Command, finish: Finish): void {
  program
    .command("sales")
    .description("one line per settled payment of a period; works while the node runs")
    .requiredOption("--from <date>", "first day, UTC, such as 2026-11-01")
    .requiredOption("--to <date>", "last day, UTC, part of the period")
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
