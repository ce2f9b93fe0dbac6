import { CommanderError } from "commander";
import { EXIT } from "./commands/exit-codes.ts";
import { createProgram } from "./commands/program.ts";
import { messageOf } from "./core/errors.ts";
import { answerNamesFirst } from "./guarded-fetch/answered-fetch.ts";

async function main(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.ok;
  const finish = (value: number) => {
    code = value;
  };
  const program = createProgram(finish, argv[0]);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.config;
    process.stderr.write(`${messageOf(error)}\n`);
    return EXIT.failed;
  }
}

// Whatever this program writes is the operator's: books, keys, backups.
if (process.platform !== "win32") process.umask(0o077);
answerNamesFirst();
process.exit(await main(process.argv.slice(2)));
