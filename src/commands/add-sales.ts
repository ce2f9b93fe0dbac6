import type { Command } from "commander";
import { CONFIG, DATA, type FinishCommand, JSON_FLAG, ofPeriod } from "./command-options.ts";

/** Commands that show sales: all of a period, or the whole story of one. */
export function addSales(program: Command, finish: FinishCommand): void {
  ofPeriod(program.command("sales"))
    .description("one line per settled payment of a period, or sums of them; works while the node runs")
    .option("--by <what>", "sums by product, network, payer, door, access, label or day")
    .option("--method <method>", "received: payments, when they came in; earned: what they paid for", "received")
    .option("--currency <code>", "each row in a second currency, too, by the official rate of its day: BRL, EUR")
    .option("--csv", "one table with one header", false)
    .option(...DATA)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./sales.ts")).salesCommand(options)));
  addBooks(program, finish);
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

/** Commands that compare the books with the chains, and record what was done by hand. */
function addBooks(program: Command, finish: FinishCommand): void {
  const books = program
    .command("books")
    .description("hold the books against the world, and write into them what was done by hand");
  ofPeriod(books.command("compare"))
    .description(
      "what came to your wallets and stands in no book, and what is booked and never came; the last seven days where " +
        "no period is named; works while the node runs",
    )
    .option("--known", 'also name what you explained with "books explain"', false)
    .option(...DATA)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./books-compare.ts")).booksCompareCommand(options)));
  books
    .command("refund")
    .description("money you sent back to a buyer: nothing is sent, nothing is deleted; works while the node runs")
    .requiredOption("--transaction <id>", "the sale: its transaction, receipt or payment")
    .requiredOption("--reference <text>", "the transaction you sent it back by; the same one is written once")
    .requiredOption("--reason <text>", "why, for the books")
    .option("--amount <usd>", "in USD; all that is left of what was paid without it")
    .option("--url <url>", "address of the running node")
    .option(...DATA)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./books-refund.ts")).booksRefundCommand(options)));
  addCorrections(books, finish);
}

/** The command that corrects a booked amount. */
function addCorrections(books: Command, finish: FinishCommand): void {
  books
    .command("correct")
    .description(
      "what really came in for a sale: nothing is deleted, the difference is booked; works while the node runs",
    )
    .requiredOption("--transaction <id>", "the sale: its transaction, receipt or payment")
    .requiredOption("--reference <text>", "what names it in your own papers; the same one is written once")
    .requiredOption("--reason <text>", "why, for the books")
    .option("--received <usd>", "what came in for it, in USD; 0 is a payment that never landed", "0")
    .option("--url <url>", "address of the running node")
    .option(...DATA)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./books-correct.ts")).booksCorrectCommand(options)));
  books
    .command("explain")
    .description("what a transfer to your wallet is that is no sale, so that no comparison names it again")
    .requiredOption("--network <id>", "network it came on, such as base or eip155:8453")
    .requiredOption("--transaction <id>", "the transaction it came by")
    .requiredOption("--reason <text>", "such as a transfer of your own, a gift, dust")
    .option("--reference <text>", "what names it in your own papers")
    .option("--url <url>", "address of the running node")
    .option(...DATA)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./books-correct.ts")).booksExplainCommand(options)));
}
