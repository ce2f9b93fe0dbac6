import type { Command } from "commander";
import { CONFIG, type FinishCommand, JSON_FLAG, ofNode } from "./command-options.ts";

const REASON = ["--reason <text>", "public: buyers read it"] as const;
const UNTIL = ["--until <time>", 'when it is on again by itself, UTC: "2026-12-31", "2026-12-31T18:00Z"'] as const;

/** Commands that take something off sale and put it back. They work whether or not the node runs. */
export function addSwitches(program: Command, finish: FinishCommand): void {
  const products = program.command("products").description("what is sold, and what is not");
  ofNode(products.command("list"))
    .description("every product with its plugin and price; why others are not sold")
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./switch.ts")).listCommand("products", options)));
  ofNode(products.command("off").argument("<path>"))
    .description("take a product off sale at once: 410, with --until 503, and nothing is charged")
    .option(...REASON)
    .option(...UNTIL)
    .option(...JSON_FLAG)
    .action(async (path, options) => finish(await (await import("./switch.ts")).offCommand("products", path, options)));
  ofNode(products.command("on").argument("<path>"))
    .description("sell it again")
    .option(...JSON_FLAG)
    .action(async (path, options) => finish(await (await import("./switch.ts")).onCommand("products", path, options)));
  const providers = program.command("providers").description("sources of data");
  ofNode(providers.command("list"))
    .description("every provider by its id; why some are not used")
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./switch.ts")).listCommand("providers", options)));
  ofNode(providers.command("off").argument("<id>"))
    .description("ask a provider no more; shows first which products lose a source or go with it")
    .option(...REASON)
    .option(...UNTIL)
    .option("--yes", "do not ask", false)
    .option(...JSON_FLAG)
    .action(async (id, options) => finish(await (await import("./switch.ts")).offCommand("providers", id, options)));
  ofNode(providers.command("on").argument("<id>"))
    .description("ask it again")
    .option(...JSON_FLAG)
    .action(async (id, options) => finish(await (await import("./switch.ts")).onCommand("providers", id, options)));
  program
    .command("plugins")
    .description("every plugin by its id, with how many products it brings")
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./switch.ts")).pluginsCommand(options)));
}
