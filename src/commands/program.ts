import { Command, InvalidArgumentError } from "commander";
import type { KeyCommand } from "../admin/keys.ts";
import { beginStart } from "../core/jit-patience.ts";
import { COMMIT, VERSION } from "../releases/version.ts";
import { addAdmin } from "./add-admin.ts";
import { addAudit } from "./add-audit.ts";
import { addBooks, addProof, addWallet } from "./add-books.ts";
import { addIdentity } from "./add-identity.ts";
import { addRegistry } from "./add-registry.ts";
import { addSwitches } from "./add-switches.ts";
import { CONFIG, type FinishCommand, JSON_FLAG } from "./command-options.ts";
import { EXIT } from "./exit-codes.ts";
import type { KeysCommandOptions } from "./keys.ts";

const readPort = (text: string): number => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError("a port is a number from 0 to 65535");
  return port;
};

const readDays = (text: string): number => {
  const days = Number(text);
  if (!/^\d{1,3}$/.test(text) || days === 0) throw new InvalidArgumentError("days are a number from 1 to 999");
  return days;
};

/** Commands that start a node, or inspect one that does not run: only their own definitions are loaded for them. */
const STARTING: readonly string[] = ["run", "demo", "check", "doctor"];

/**
 * Builds the command line. Each command loads its code when it runs, so that it starts fast.
 * @param first the first word typed; all commands are built unless it names one that starts a node.
 */
export function createProgram(finish: FinishCommand, first = ""): Command {
  const program = new Command("intel-node")
    .description("Sells market intelligence to software agents, call by call, over x402.")
    .version(VERSION, "-V, --version")
    .enablePositionalOptions()
    .exitOverride()
    .addHelpText(
      "after",
      `
Exit codes:
  ${EXIT.ok}    done
  ${EXIT.failed}    failed while running; the last line says why
  ${EXIT.config}    the configuration or the command line is faulty; nothing was started
  ${EXIT.audit}    an audit found a broken invariant; of verify: only partly proven
  ${EXIT.unproven}    a receipt or a track record does not prove what it should
  ${EXIT.forced}  forced to stop by a second signal`,
    );

  addRunning(program, finish);
  if (STARTING.includes(first)) return program;
  addSetup(program, finish);
  addUpgrade(program, finish);
  addPeers(program, finish);
  addReading(program, finish);
  addBooks(program, finish);
  addWallet(program, finish);
  addProof(program, finish);
  addIdentity(program, finish);
  addAudit(program, finish);
  addKeys(program, finish);
  addSwitches(program, finish);
  addAdmin(program, finish);
  addRegistry(program, finish);
  return program;
}

/** Commands that start a node. */
function addRunning(program: Command, finish: FinishCommand): void {
  program
    .command("run", { isDefault: true })
    .description("run the node (the default); without a configuration file it is set up in a browser first")
    .option(...CONFIG)
    .option("--setup [from]", 'set up in a browser where the file is missing; from "lan", or under an address alone')
    .action(async ({ config, setup }, command: Command) => {
      beginStart();
      (await import("../ledger/sqlite/spare-thread.ts")).book_threads.prepare();
      const is_named = command.getOptionValueSource("config") !== "default";
      finish(await (await import("./run.ts")).runCommand({ config, is_named, setup }));
    });
  program
    .command("demo")
    .description("a complete sale in the embedded sandbox: no network, no wallet, no keys")
    .option(...JSON_FLAG)
    .option("--serve", "stay up for outside clients until SIGTERM", false)
    .option("--port <port>", "port to listen on; 0 picks a free one", readPort, 0)
    .option("--data <dir>", "keep ledger, market data and sandbox chain here")
    .option("--plugins <dir>", "load a plugin folder as well")
    .option("--live-data", "sandbox money, but real upstreams", false)
    .option("--config <file>", "your own file: its products, prices and providers on sandbox money")
    .option("--history-days <days>", "records of so many days at most; 60 without", readDays)
    .option("--no-history", "start as empty as a new node, without a past")
    .action(async ({ json, serve, port, data, plugins, liveData, config, history, historyDays }) =>
      finish(
        await (await import("./demo.ts")).demoCommand({
          json,
          serve,
          port,
          data,
          plugins,
          live_data: liveData,
          config,
          history,
          history_days: historyDays,
        }),
      ),
    );
  program
    .command("check")
    .description("read the configuration and the plugins, say what would be sold, start nothing")
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .option("--online", "also ask everybody it names: facilitators, chains, providers, the public address", false)
    .option("--record <folder>", "with --online: write what each provider answers there, without secrets")
    .option("--all", "every line of what was found, instead of a summary", false)
    .action(async (options) => finish(await (await import("./check.ts")).checkCommand(options)));
  program
    .command("doctor")
    .description("what check --online finds; with --bundle also a zip without secrets, for whoever helps you")
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .option("--bundle [file]", "write the zip here")
    .action(async (options) => finish(await (await import("./doctor.ts")).doctorCommand(options)));
}

/** Commands that install another release. */
function addUpgrade(program: Command, finish: FinishCommand): void {
  program
    .command("upgrade")
    .description("fetch, prove and install the newest signed release; a running node hands over without losing a call")
    .option(...CONFIG)
    .option("--check", "only say whether there is one", false)
    .option("--to <version>", "another release than the newest; an older one only if it can read the ledger")
    .action(async (options) => finish(await (await import("./upgrade/upgrade.ts")).upgradeCommand(options)));
}

/** Commands that write or check a configuration. */
function addSetup(program: Command, finish: FinishCommand): void {
  program
    .command("init")
    .description("write a working node.toml; every question is also a flag")
    .option("--out <file>", "file to write", "node.toml")
    .option("--public-url <url>", "address agents reach the node under")
    .option("--base-pay-to <address>", "address on Base that is paid")
    .option("--solana-pay-to <address>", "address on Solana that is paid")
    .option("--algorand-pay-to <address>", "address on Algorand that is paid")
    .option("--base-rpc <urls>", "RPC endpoints of Base, to check payments yourself")
    .option("--solana-rpc <urls>", "RPC endpoints of Solana")
    .option("--algorand-rpc <urls>", "algod endpoints of Algorand")
    .option("--proxy <addresses>", 'addresses or ranges of the proxy in front, or "none"')
    .option("--facilitator-url <url>", "x402 facilitator that settles")
    .option("--data-dir <dir>", "folder of the ledger")
    .option("--port <port>", "port to listen on")
    .option("--contact-email <email>", "contact shown to buyers")
    .option("--systemd", "print a hardened systemd unit instead", false)
    .option("--yes", "take the defaults without asking", false)
    .option("--force", "overwrite an existing file", false)
    .action(async (options) => {
      if (options.systemd) return finish((await import("./systemd-unit.ts")).unitCommand(options));
      const { stdin, stdout } = process;
      const io = { stdin, stdout, isTTY: stdin.isTTY === true && stdout.isTTY === true };
      finish(await (await import("./init.ts")).initCommand(options, io));
    });
}

/** Commands on the nodes that this one buys from. */
function addPeers(program: Command, finish: FinishCommand): void {
  program
    .command("peers")
    .description("try the nodes this one may buy from: who they are, what they ask, and why not; pays nothing")
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./peers.ts")).peersCommand(options)));
  program
    .command("withdraw-channel")
    .description("print the calls that withdraw what is left in a payment channel with a peer; sends nothing")
    .argument("<channel>", "the channel's id, as the alert peer-channel names it")
    .option("--amount <usdc>", "a part of what is left, in USDC; all of it without this")
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (channel, options) =>
      finish(await (await import("./withdraw-channel.ts")).withdrawChannelCommand(channel, options)),
    );
}

/** Commands that only read. */
function addReading(program: Command, finish: FinishCommand): void {
  program
    .command("catalog")
    .description("print what this node sells")
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./catalog.ts")).catalogCommand(options)));
  const config = program.command("config").description("work with the configuration");
  config
    .command("example")
    .description("print a configuration with every key, its meaning and default")
    .action(async () => finish((await import("./config-show.ts")).configExampleCommand()));
  config
    .command("show")
    .description("print every key with its value (secrets masked) and where it comes from")
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./config-show.ts")).configShowCommand(options)));
  program
    .command("version")
    .description("print the version and the commit it was built from")
    .action(() => {
      process.stdout.write(`${VERSION} (${COMMIT})\n`);
      finish(EXIT.ok);
    });
  program
    .command("verify-release")
    .description("build this program again from its sources and compare the two, byte by byte; needs git, bash and npm")
    .requiredOption("--source <repository>", "git repository with the sources: a folder or an address")
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./verify-release.ts")).verifyReleaseCommand(options)));
}

/** Commands on prepaid keys; they work whether or not the node runs. */
function addKeys(program: Command, finish: FinishCommand): void {
  const keys = program.command("keys").description("issue, look at and end prepaid keys");
  const add = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .option("--data <dir>", "data folder")
      .option("--url <url>", "address of the running node")
      .option(...CONFIG)
      .option(...JSON_FLAG);
  const run = async (command: KeyCommand, { data, config, url, json }: KeysCommandOptions) =>
    finish(await (await import("./keys.ts")).keysCommand(command, { data, config, url, json }));
  const grant = ({ plan, credit, duration }: { plan?: string; credit?: string; duration?: string }) => ({
    ...(plan === undefined ? {} : { plan }),
    ...(credit === undefined ? {} : { credit_usd: credit }),
    ...(duration === undefined ? {} : { duration }),
  });
  const withGrant = (command: Command) =>
    command
      .option("--plan <name>", "what it grants, such as buy_credits")
      .option("--credit <usd>", "credit in USD")
      .option("--duration <time>", "how long it lasts, such as 30d");

  withGrant(add("issue", "make a key; it is shown once"))
    .option("--label <text>", "your note")
    .action((options) =>
      run({ command: "issue", ...grant(options), ...(options.label ? { label: options.label } : {}) }, options),
    );
  withGrant(add("top-up <key-id>", "give a key more credit or time")).action((key_id, options) =>
    run({ command: "top-up", key_id, ...grant(options) }, options),
  );
  add("list", "the first 200 keys, or those after --after")
    .option("--after <n>", "go on after this position", Number)
    .action((options) =>
      run({ command: "list", ...(options.after === undefined ? {} : { after: options.after }) }, options),
    );
  for (const [command, description] of [
    ["show", "one key with its last calls"],
    ["revoke", "end a key and those below it at once"],
    ["expire", "book what is left of a balance that has ended"],
  ] as const) {
    add(`${command} <key-id>`, description).action((key_id, options) => run({ command, key_id }, options));
  }
  add("refund <call-id>", "give back what a call cost").action((call_id, options) =>
    run({ command: "refund", call_id }, options),
  );
}
