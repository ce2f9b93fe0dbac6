import type { Command } from "commander";
import { CONFIG, type FinishCommand } from "./command-options.ts";

/** Commands that print what a registry of others wants to know. */
export function addRegistry(program: Command, finish: FinishCommand): void {
  program
    .command("registry")
    .description("print what registries take")
    .command("mcp")
    .description("print server.json for the MCP registry")
    .option(...CONFIG)
    .action(async (options) => finish(await (await import("./registry-mcp.ts")).registryMCPCommand(options)));
}
