import type { Command, Option } from "commander";
import { createProgram } from "./program.ts";

/** One option of a command. */
export interface OptionFacts {
  /** "--config", and "-c" where there is a short one. */
  readonly flags: readonly string[];
  /** "<file>" or "[file]"; empty for a switch. */
  readonly value: string;
  readonly description: string;
}

/** One command of the command line. */
export interface CommandFacts {
  /** Words after the program's name, such as ["keys", "issue"]. */
  readonly words: readonly string[];
  /** Such as "<key-id>". */
  readonly values: readonly string[];
  readonly description: string;
  readonly options: readonly OptionFacts[];
}

const HELP: OptionFacts = { flags: ["-h", "--help"], value: "", description: "show help" };

const readOption = ({ flags, description }: Option): OptionFacts => ({
  flags: [...flags.matchAll(/(?:^|[\s,|])(--?[a-z-]+)/gi)].map(([, flag = ""]) => flag),
  value: /[<[][^>\]]+[>\]]/.exec(flags)?.[0] ?? "",
  description,
});

function* walk(command: Command, words: readonly string[]): Generator<CommandFacts> {
  for (const inner of command.commands) {
    const here = [...words, inner.name()];
    if (inner.commands.length > 0) yield* walk(inner, here);
    else {
      yield {
        words: here,
        values: inner.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`)),
        description: inner.description(),
        options: [...inner.options.map(readOption), HELP],
      };
    }
  }
}

/** Every command, read from the command line itself, so that documents generated from it are always current. */
export const listCommands = (): readonly CommandFacts[] => [
  ...walk(
    createProgram(() => undefined),
    [],
  ),
];
