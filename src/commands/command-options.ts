import type { Command } from "commander";

/** Options that many commands share. */
export const CONFIG = ["-c, --config <file>", "configuration file", "node.toml"] as const;
export const DATA = ["--data <dir>", "data folder"] as const;
export const JSON_FLAG = ["--json", "machine-readable output", false] as const;

/** Options that name a period; one of them is required. */
export const ofPeriod = (command: Command): Command =>
  command
    .option("--today", "today, UTC", false)
    .option("--week", "this week, from Monday on", false)
    .option("--month <month>", "a month, such as 2026-10")
    .option("--year <year>", "a year, such as 2026")
    .option("--from <date>", "first day, UTC, such as 2026-11-01")
    .option("--to <date>", "last day, UTC, part of the period");

/** Sets the exit code to that of a command. */
export type FinishCommand = (code: number) => void;

/** Options of every command that calls a running node. */
export const ofNode = (command: Command): Command =>
  command
    .option("--data <dir>", "data folder of the running node")
    .option("--url <url>", "address of the running node")
    .option(...CONFIG);
