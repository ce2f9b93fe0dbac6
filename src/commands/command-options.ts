import type { Command } from "commander";

/** Options that many commands share. */
export const CONFIG = ["-c, --config <file>", "configuration file", "node.toml"] as const;
export const DATA = ["--data <dir>", "data folder"] as const;
export const JSON_FLAG = ["--json", "machine-readable output", false] as const;

/** Takes the exit code of a command. */
export type Finish = (code: number) => void;

/** Options of every command that asks a running node. */
export const ofNode = (command: Command): Command =>
  command
    .option("--data <dir>", "data folder of the running node")
    .option("--url <url>", "address of the running node")
    .option(...CONFIG);
