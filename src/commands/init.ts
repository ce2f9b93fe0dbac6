import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { loadConfig, renderFaults } from "../config/load.ts";
import { messageOf } from "../core/errors.ts";
import { loadIdentity } from "../files/identity-file.ts";
import { writeSecretFile } from "../files/secret-file.ts";
import { EXIT } from "./exit-codes.ts";
import { type AnswerName, type InitAnswers, QUESTIONS, renderConfig } from "./init-file.ts";
import { print, printError } from "./print.ts";

export type InitOptions = Readonly<Partial<Record<AnswerName, string>>> & {
  readonly out: string;
  readonly yes: boolean;
  readonly force: boolean;
};

export interface InitIO {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly isTTY: boolean;
}

/** Writes a valid node.toml, or says why an answer is refused. */
export async function initCommand(options: InitOptions, io: InitIO): Promise<number> {
  if (existsSync(options.out) && !options.force) {
    printError(`${options.out} exists: name another with --out, or overwrite it with --force`);
    return EXIT.config;
  }
  const faultsOf = (text: string): string | null => {
    const loaded = loadConfig({ text, file: options.out, env: {} });
    return loaded.ok ? null : renderFaults(loaded.faults);
  };
  const answers: InitAnswers = { ...options };
  if (!options.yes && io.isTTY) await ask(answers, io, (draft) => faultsOf(renderConfig(draft)));
  for (const { name, fallback } of QUESTIONS) answers[name] ??= fallback(answers);

  const faults = faultsOf(renderConfig(answers));
  if (faults !== null) {
    printError(faults);
    return EXIT.config;
  }
  const node_id = makeIdentity(resolve(dirname(options.out), answers.dataDir ?? ""));
  writeSecretFile(options.out, renderConfig(answers, node_id));
  print(`wrote ${options.out}`);
  if (node_id !== null) print(`  this node is ${node_id}; its key is in ${answers.dataDir}: keep a copy elsewhere`);
  if (!answers.basePayTo && !answers.solanaPayTo && !answers.algorandPayTo) {
    print("  it sells nothing yet: give it an address that is paid ([wallets.base] pay_to)");
  }
  print(`next: intel-node check --config ${options.out}\n      intel-node --config ${options.out}`);
  return EXIT.ok;
}

/** Asks for everything that no flag gave, and repeats each question until the answer is valid. */
async function ask(answers: InitAnswers, { stdin, stdout }: InitIO, faultsOf: (draft: InitAnswers) => string | null) {
  const readline = createInterface({ input: stdin, output: stdout });
  try {
    for (const { name, question, fallback, isAsked = () => true } of QUESTIONS) {
      if (answers[name] !== undefined || !isAsked(answers)) continue;
      const otherwise = fallback(answers);
      for (;;) {
        const given = (await readline.question(`${question}${otherwise ? ` [${otherwise}]` : ""}: `)).trim();
        answers[name] = given === "" ? otherwise : given;
        const faults = faultsOf(answers);
        if (faults === null) break;
        printError(faults);
      }
    }
  } finally {
    readline.close();
  }
}

/** Makes the node's key now, so that the file can name the node; null if the folder cannot be written yet. */
function makeIdentity(folder: string): string | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return loadIdentity(folder).node_id;
  } catch (error) {
    printError(`${folder} cannot be written yet, so the file names no node_id (${messageOf(error)})`);
    return null;
  }
}
