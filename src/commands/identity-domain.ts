import type { Config } from "../config/schema.ts";
import { systemClock } from "../core/clock.ts";
import { findIdentity } from "../files/identity-file.ts";
import { listSignedFor } from "../node/compose-ownership.ts";
import { nodeDID } from "../trust/did.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";

export interface DomainOptions {
  readonly config: string;
  readonly json: boolean;
}

/** A thing that depends on the node's address. */
interface Bound {
  readonly what: string;
  /** Whether it continues without any action. */
  readonly holds: boolean;
  /** The reason why it continues, or what to do. */
  readonly how: string;
}

const GUIDE = 'docs/operator/identity.md, "Changing the domain"';

/** Lists what ends when this node moves to another address, and what to do about each; changes nothing. */
export async function domainCommand(to: string, { config: file, json }: DomainOptions): Promise<number> {
  const loaded = await loadConfigFile(file);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const { config } = loaded;
  const { public_url: from } = config.node;
  const fault = whyNotMove(from, to);
  if (fault !== null) {
    printError(`${file}: ${fault}`);
    return EXIT.config;
  }
  const bound = await listBound(config, { from: String(from), to: new URL(to).origin });
  if (json) print(JSON.stringify({ from, to: new URL(to).origin, bound }));
  else {
    print(`from ${from} to ${new URL(to).origin}, at the next start:`);
    for (const { what, holds, how } of bound) print(`  ${holds ? "holds" : "ends "}  ${what}: ${how}`);
    print(`Nothing was changed. The order of it: ${GUIDE}`);
  }
  return EXIT.ok;
}

function whyNotMove(from: string | undefined, to: string): string | null {
  if (from === undefined) return "[node] public_url is not set: nothing hangs on an address yet";
  if (!/^https?:\/\//.test(to) || !URL.canParse(to))
    return `"${to.slice(0, 100)}" is no address such as https://new.example.com`;
  return new URL(to).origin === from ? `${from} is its address already` : null;
}

async function listBound(config: Config, { from, to }: { from: string; to: string }): Promise<readonly Bound[]> {
  const identity = findIdentity(config.data.dir);
  const ends = (what: string, how: string): Bound => ({ what, holds: false, how });
  const holds = (what: string, how: string): Bound => ({ what, holds: true, how });
  const signed = identity === null ? [] : await listSignedFor(config, identity, systemClock.now());
  const proven = signed.filter(({ is_signed }) => is_signed).map(({ network }) => network);
  const { base, solana } = config.wallets;
  const by_origin = [base?.origin_proof, solana?.origin_proof].filter((proof) => proof !== undefined);
  return [
    ends(
      `the node's name ${nodeDID(from)}`,
      `it is ${nodeDID(to)} then. Keep did.json as it is now as a file on the old domain: receipts name its keys`,
    ),
    proven.length === 0
      ? holds("wallet proofs", "none names this address now")
      : ends(
          `wallet proofs of ${proven.join(", ")}`,
          'take them out, set the new address, sign again what "intel-node wallet proof" prints: they stop the start',
        ),
    by_origin.length === 0
      ? holds("origin_proof", "none is set")
      : ends(`origin_proof of ${by_origin.length}`, 'sign again the last line of "intel-node wallet proof"'),
    config.mcp.registry_auth === undefined
      ? holds("MCP registry", "[mcp] registry_auth is not set")
      : ends("MCP registry", 'its entry is of the old host: publish "intel-node registry mcp" anew'),
    ends("listings", "x402scan, bazaars, agent directories and peers' [peers] urls lead to the old address"),
    ends("402s and wallet sign-ins of the last minutes", "they name the old host; buyers are asked anew"),
    holds("keys, passes, coupons, channels, stored answers", "they hang on the ledger and the node's key"),
    holds(
      `receipts and ${identity === null ? "the node's id" : identity.node_id}`,
      "the key stays; /receipts/<id> signs anew under the new name",
    ),
  ];
}
