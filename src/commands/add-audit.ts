import { type Command, InvalidArgumentError } from "commander";
import { CONFIG, type FinishCommand, JSON_FLAG } from "./command-options.ts";

const readScore = (text: string): number => {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 100)
    throw new InvalidArgumentError("a score is a number from 0 to 100");
  return Number(text);
};

/** The command that audits the running node from outside. */
export function addAudit(program: Command, finish: FinishCommand): void {
  program
    .command("audit")
    .description("look at a running node as graders do")
    .command("self")
    .description("check documents, prices, links, limits and signatures of the running node; print a score with fixes")
    .option("--url <url>", "address to ask; default: where the configured node listens")
    .option("--min-score <n>", "lowest score that is good enough", readScore, 90)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async ({ url, minScore: min_score, config, json }) =>
      finish(await (await import("./audit-self.ts")).auditSelfCommand({ url, min_score, config, json })),
    );
}
