import { Command } from "commander";
import { formOf, OPERATION_NAMES } from "../admin/operations.ts";
import { type AdminOptions, adminCommand } from "./admin.ts";
import { type FinishCommand, JSON_FLAG, ofNode } from "./command-options.ts";

/** `intel-node admin`: each operation is a verb, and its parameters are options. */
export function createAdminProgram(finish: FinishCommand): Command {
  const program = new Command("intel-node admin")
    .description("ask the running node, or have it do something: every operation of its operator's API")
    .exitOverride();
  for (const name of OPERATION_NAMES) {
    const { summary, input } = formOf(name);
    const command = ofNode(program.command(name.replaceAll("_", "-")))
      .description(summary)
      .option(...JSON_FLAG);
    for (const [parameter, { description = "" }] of Object.entries(input.properties)) {
      const flag = `--${parameter.replaceAll("_", "-")} <value>`;
      if (input.required?.includes(parameter)) command.requiredOption(flag, description);
      else command.option(flag, description);
    }
    command.action(async (options: AdminOptions) => finish(await adminCommand(name, options)));
  }
  return program;
}
