import type { Command } from "commander";
import { CONFIG, type Finish, JSON_FLAG } from "./command-options.ts";

/** Commands that ask a running node. */
export function addAdmin(program: Command, finish: Finish): void {
  const ofNode = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option("--data <dir>", "data folder of the running node")
      .option("--url <url>", "address of the running node")
      .option(...CONFIG);
  ofNode("reload", "have the running node read its configuration anew: all of it, or nothing")
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./reload.ts")).reloadCommand(options)));
}
