import type { Command } from "commander";
import { CONFIG, type FinishCommand } from "./command-options.ts";

/** Commands that print the entry of this node for a public registry. */
export function addRegistry(program: Command, finish: FinishCommand): void {
  program
    .command("registry")
    .description("print what registries take")
    .command("mcp")
    .description("print server.json for the MCP registry")
    .option(...CONFIG)
    .action(async (options) => finish(await (await import("./registry-mcp.ts")).registryMCPCommand(options)));
}
