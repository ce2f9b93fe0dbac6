import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { loadConfig, renderFaults } from "../config/load.ts";
import { writeSecretFile } from "../node/identity-file.ts";
import { EXIT } from "./exit-codes.ts";

export interface InitOptions {
  readonly out: string;
  readonly publicUrl?: string | undefined;
  readonly basePayTo?: string | undefined;
  readonly facilitatorUrl?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly port?: string | undefined;
  readonly contactEmail?: string | undefined;
  readonly yes: boolean;
  readonly force: boolean;
}

export interface InitIO {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly isTTY: boolean;
}

type AnswerName = "publicUrl" | "basePayTo" | "facilitatorUrl" | "dataDir" | "port" | "contactEmail";
type Answers = Record<AnswerName, string>;

/** The six questions. An empty answer leaves the key out. */
const QUESTIONS: readonly { readonly name: AnswerName; readonly ask: string; readonly fallback: string }[] = [
  { name: "publicUrl", ask: "Address agents reach this node under (https://…)", fallback: "" },
  { name: "basePayTo", ask: "Your address on Base that is paid (0x…)", fallback: "" },
  { name: "facilitatorUrl", ask: "x402 facilitator that settles", fallback: "https://facilitator.payai.network" },
  { name: "dataDir", ask: "Folder for the ledger", fallback: "./data" },
  { name: "port", ask: "Port to listen on", fallback: "8402" },
  { name: "contactEmail", ask: "Contact e-mail shown to buyers", fallback: "" },
];

const quote = JSON.stringify;

/** The file for these answers. What was left empty stands in it as a comment, so that it can be filled in later. */
export function renderConfig(answers: Answers): string {
  const { publicUrl, basePayTo, facilitatorUrl, dataDir, port, contactEmail } = answers;
  const line = (key: string, value: string, example: string) =>
    value === "" ? `#${key} = ${quote(example)}` : `${key} = ${quote(value)}`;
  return `# Written by "intel-node init". All keys: config.example.toml. Check it with "intel-node check".
[node]
${line("public_url", publicUrl, "https://node.example.com")}
${line("contact_email", contactEmail, "ops@example.com")}

[server]
host = "127.0.0.1"
port = ${port === "" ? 8402 : port}

[data]
dir = ${quote(dataDir === "" ? "./data" : dataDir)}

[wallets.base]
${line("pay_to", basePayTo, "0x…")}

[[facilitators]]
kind = "remote"
url = ${quote(facilitatorUrl === "" ? "https://facilitator.payai.network" : facilitatorUrl)}
`;
}

/** Writes a node.toml that loads, or says why an answer cannot be taken. */
export async function initCommand(options: InitOptions, io: InitIO): Promise<number> {
  if (existsSync(options.out) && !options.force) {
    console.error(`${options.out} exists: name another with --out, or overwrite it with --force`);
    return EXIT.config;
  }
  const faultsOf = (text: string): string | null => {
    const loaded = loadConfig({ text, file: options.out, env: {} });
    return loaded.ok ? null : renderFaults(loaded.faults);
  };
  const answers = Object.fromEntries(
    QUESTIONS.map(({ name, fallback }) => [name, options[name] ?? fallback]),
  ) as Answers;

  if (!options.yes && io.isTTY) {
    const readline = createInterface({ input: io.stdin, output: io.stdout });
    try {
      for (const { name, ask, fallback } of QUESTIONS) {
        if (options[name] !== undefined) continue;
        for (;;) {
          const given = (await readline.question(`${ask}${fallback ? ` [${fallback}]` : ""}: `)).trim();
          answers[name] = given === "" ? fallback : given;
          const faults = faultsOf(renderConfig(answers));
          if (faults === null) break;
          console.error(faults);
          answers[name] = fallback;
        }
      }
    } finally {
      readline.close();
    }
  }

  const text = renderConfig(answers);
  const faults = faultsOf(text);
  if (faults !== null) {
    console.error(faults);
    return EXIT.config;
  }
  writeSecretFile(options.out, text);
  console.log(`wrote ${options.out}`);
  if (answers.basePayTo === "") console.log("  it sells nothing yet: set [wallets.base] pay_to");
  console.log(`next: intel-node check --config ${options.out}\n      intel-node --config ${options.out}`);
  return EXIT.ok;
}
