import type { Command } from "commander";
import { type FinishCommand, JSON_FLAG, ofNode } from "./command-options.ts";

/** Commands that call a running node. */
export function addAdmin(program: Command, finish: FinishCommand): void {
  ofNode(program.command("reload"))
    .description("have the running node read its configuration anew: all of it, or nothing")
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./reload.ts")).reloadCommand(options)));
  ofNode(program.command("top"))
    .description("the running node's figures, anew each second")
    .option("--once", "print them once", false)
    .action(async (options) => finish(await (await import("./top.ts")).topCommand(options)));
  program
    .command("admin")
    .description("ask the running node, or have it do something: every operation of its operator's API")
    .argument("[operation...]", "one of those that `admin --help` lists, with its options")
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    // The operations are a table of schemas, which other commands need not load.
    .action(async (words: readonly string[]) => {
      const { createAdminProgram } = await import("./admin-program.ts");
      await createAdminProgram(finish).parseAsync([...words], { from: "user" });
    });
}
