import type { Command } from "commander";
import { addSales } from "./add-sales.ts";
import { CONFIG, DATA, type FinishCommand, JSON_FLAG, ofPeriod } from "./command-options.ts";

const PASSPHRASE = [
  "--passphrase-file <file>",
  "file whose text opens the backup of a whole node; else INTEL_NODE_BACKUP_PASSPHRASE",
] as const;

/** Commands on the books. Each loads its code when it runs. */
export function addBooks(program: Command, finish: FinishCommand): void {
  const ledger = program.command("ledger").description("work with the books");
  ledger
    .command("audit")
    .description("prove every rule of the books on every row; works while the node runs")
    .option(...DATA)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async ({ data, config, json }) =>
      finish(await (await import("./ledger-audit.ts")).ledgerAuditCommand({ data, config, json })),
    );
  ofPeriod(ledger.command("report"))
    .description("what was received, sold, given, earned and is owed; works while the node runs")
    .option("--csv", "one table with one header", false)
    .option(...DATA)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./ledger-report.ts")).ledgerReportCommand(options)));
  ledger
    .command("move")
    .description("move the books of a stopped node into a PostgreSQL database, or back into its data folder")
    .requiredOption("--to <place>", 'address of an empty database (postgres://user@host/database), or "file"')
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async ({ to, config, json }) =>
      finish(await (await import("./ledger-move.ts")).ledgerMoveCommand({ to, config, json })),
    );
  addSales(program, finish);
  program
    .command("alerts")
    .description("how you are told of trouble and of sales")
    .command("test")
    .description("send one message by every [[alerts]] entry")
    .option(...CONFIG)
    .action(async (options) => finish(await (await import("./alerts.ts")).alertsTestCommand(options)));
  program
    .command("backup")
    .description("write the ledger, or the whole node, as it is now into one proved file; works while the node runs")
    .option("--to <path>", "of the ledger: folder, or file that does not exist yet")
    .option("--whole <file>", "of the whole node: file that does not exist yet; sealed with a passphrase")
    .option(...PASSPHRASE)
    .option("--without-secrets", "leave keys, tokens and passwords out of --whole", false)
    .option(...DATA)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./backup-choice.ts")).backupChoiceCommand(options)));
  program
    .command("restore")
    .description("put a backup, or the ledger as its continuous copy holds it, into a data folder, proved first")
    .argument("<file>", "the backup; of a copy its folder, or s3://bucket/prefix")
    .option("--data <dir>", "of the ledger: empty data folder, or one that does not exist yet")
    .option(
      "--at <time>",
      "of a copy: the newest state at or before it, such as 2026-11-29T10:15:00Z; none = the newest",
    )
    .option("--config <file>", "of a copy: whose [copy] says how its store is reached; else INTEL_NODE_COPY_…")
    .option("--node-key <file>", "your copy of node-key.pem, put into that folder too")
    .option("--to <dir>", "of a whole node: empty folder, or one that does not exist yet")
    .option(...PASSPHRASE)
    .option(...JSON_FLAG)
    .action(async (file, options) =>
      finish(await (await import("./restore-choice.ts")).restoreChoiceCommand(file, options)),
    );
}

const NEXT = ["--next", "for the key that follows at the next rotation", false] as const;

/** Commands that prove the ownership of the receiving addresses. */
export function addWallet(program: Command, finish: FinishCommand): void {
  const wallet = program.command("wallet").description("prove that your receiving addresses are yours");
  wallet
    .command("proof")
    .description("print, per receiving address, the texts its owner signs once, offline")
    .option(...NEXT)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./wallet-proof.ts")).walletProofCommand(options)));
  wallet
    .command("verify")
    .description("check such a signature and print the line for the configuration")
    .requiredOption("--network <id>", "network, such as base or eip155:8453")
    .requiredOption("--address <address>", "the receiving address")
    .requiredOption("--signature <text>", "what the wallet gave")
    .option(...NEXT)
    .option(...CONFIG)
    .option(...JSON_FLAG)
    .action(async (options) => finish(await (await import("./wallet-verify.ts")).walletVerifyCommand(options)));
}

const collect = (one: string, before: readonly string[]): readonly string[] => [...before, one];

/** Commands for buyers that check a node's signatures. They need neither configuration nor network. */
export function addProof(program: Command, finish: FinishCommand): void {
  program
    .command("verify-receipt")
    .description("check offline what a node signed: a receipt, or that a call cost nothing")
    .argument("<receipt>", "file, - for standard input, or the signed text; also a PAYMENT-RESPONSE header")
    .option("--key <key>", "the node's public key (ed25519:…)")
    .option("--did-document <file>", "the node's /.well-known/did.json")
    .option("--answer <file>", "also prove that these bytes are what was paid for")
    .option("--request <text>", 'also prove what was asked: GET /path {"symbol":"BTC"}, with every default')
    .option(...JSON_FLAG)
    .action(async (receipt, { key, didDocument, answer, request, json }) => {
      const options = { receipt, key, did_document: didDocument, answer, request, json };
      finish(await (await import("./verify-receipt.ts")).verifyReceiptCommand(options));
    });
  program
    .command("recompute")
    .description("make a sold answer again from its bundle, offline, and compare it byte for byte")
    .argument("[bundle]", "file, - for standard input, or its address: …/receipts/<id>/bundle")
    .option("--api-key <key>", "key of the call, for an address")
    .option("--all-since <day>", "every answer a data folder keeps from a day on, UTC")
    .option("--data <dir>", "data folder, for --all-since; ./data by default")
    .option(...JSON_FLAG)
    .action(async (source, { apiKey, allSince, data, json }) => {
      const options = { source, api_key: apiKey, all_since: allSince, data, json };
      finish(await (await import("./recompute.ts")).recomputeCommand(options));
    });
  program
    .command("verify-track-record")
    .description("check the signed track record of a node's signals, claim by claim: proven, unproven or broken")
    .argument(
      "<source>",
      "address of the node, a file: an answer, the free evidence, a .tlog-proof; - for standard input",
    )
    .option("--api-key <key>", "prepaid key to buy the newest signals with; without it the free record is checked")
    .option("--evidence <file>", "what /track-record/evidence gave: older records, or the one a .tlog-proof is of")
    .option("--save <file>", "write what was checked, to check it again offline")
    .option("--did-document <file>", "the node's /.well-known/did.json; needed for an answer in a file")
    .option("--head <head>", "length:hash kept earlier, or a file with an answer of then: nothing before was rewritten")
    .option("--witness <key>", "who must have cosigned a .tlog-proof: verifier_key of a node's /witness", collect, [])
    .option("--policy <file>", "which witnesses, by organisation, are enough to have cosigned a .tlog-proof")
    .option(...JSON_FLAG)
    .action(async (source, { apiKey, didDocument, witness, ...rest }) => {
      const options = { source, api_key: apiKey, did_document: didDocument, witnesses: witness, ...rest };
      finish(await (await import("./verify-track-record.ts")).verifyTrackCommand(options));
    });
  program
    .command("verify-anchor")
    .description("check since when what a node signed existed at the latest, by a block of Bitcoin that you know")
    .argument("<source>", "address of …/track-record/anchors/<seq>, a file with what it gave, or - for standard input")
    .option("--did-document <file>", "the node's /.well-known/did.json; needed for a file")
    .option("--block <height:hex>", "a block's header (160 digits) or Merkle root (64); more than once", collect, [])
    .option(...JSON_FLAG)
    .action(async (source, { didDocument, block, json }) => {
      const options = { source, did_document: didDocument, blocks: block, json };
      finish(await (await import("./verify-anchor.ts")).verifyAnchorCommand(options));
    });
}
