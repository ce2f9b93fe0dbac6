import type { Command } from "commander";
import { CONFIG, type FinishCommand, JSON_FLAG } from "./command-options.ts";

const DATA = ["--data <dir>", "data folder"] as const;

/** Commands on the identity of this node, and of others. Each loads its code when it runs. */
export function addIdentity(program: Command, finish: FinishCommand): void {
  const identity = program.command("identity").description("look at and change the key this node signs with");
  const add = (name: string, description: string) =>
    identity
      .command(name)
      .description(description)
      .option(...DATA)
      .option(...CONFIG)
      .option(...JSON_FLAG);
  for (const [command, description] of [
    ["show", "the node's key, those before it and the one prepared to follow"],
    ["prepare", "make the key that is to follow, so that wallets can sign for it before it is used"],
  ] as const) {
    add(command, description).action(async ({ data, config, json }) =>
      finish(await (await import("./identity.ts")).identityCommand(command, { data, config, json })),
    );
  }
  add("rotate", "sign with the next key from now on; the node must be stopped")
    .option("--compromised", "somebody else may have the present key: what it signed proves nothing any more", false)
    .action(async ({ data, config, json, compromised }) =>
      finish(await (await import("./identity.ts")).rotateCommand({ data, config, json, compromised })),
    );
  identity
    .command("domain")
    .description("what ends when this node is reached under another address, and what to do; changes nothing")
    .argument("<url>", "the new address, such as https://new.example.com")
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (url, options) => finish(await (await import("./identity-domain.ts")).domainCommand(url, options)));
  program
    .command("verify")
    .description("check that a node is who it says it is and that its receiving addresses are its own")
    .argument("<url>", "address of the node, such as https://node.example.com")
    .option("--policy <file>", "which witnesses must have cosigned the node's histories, as a Sigsum policy")
    .option(...JSON_FLAG)
    .action(async (url, { policy, json }) =>
      finish(await (await import("./verify.ts")).verifyCommand({ url, policy, json })),
    );
}
