import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Hex } from "viem";

const SOURCE = join(import.meta.dir, "usdc-token.sol");
const COMPILED = join(import.meta.dir, "usdc-token.json");
const CONTRACTS = [
  "TestUSDC",
  "TestWallet",
  "TestWalletFactory",
  "TestMulticall",
  "TestChannels",
  "TestDepositCollector",
  "TestPermit2",
  "TestUptoProxy",
] as const;
export type ContractName = (typeof CONTRACTS)[number];

export interface Compiled {
  /** Of the source it was made from. */
  readonly sha256: string;
  readonly contracts: Readonly<Record<ContractName, { readonly creation: Hex; readonly deployed: Hex }>>;
}

const sourceText = (): string => readFileSync(SOURCE, "utf8");
const sourceHash = (): string => new Bun.CryptoHasher("sha256").update(sourceText()).digest("hex");

/** The compiled contracts, kept beside their source because compiling takes two seconds. */
export const loadCompiled = (): Compiled => JSON.parse(readFileSync(COMPILED, "utf8")) as Compiled;

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Record<string, Record<string, { evm: Record<string, { object: string }> }>>;
}

/** Compiles the source with the pinned compiler. */
export async function compile(): Promise<Compiled> {
  const { default: solc } = (await import("solc" as string)) as { default: { compile(input: string): string } };
  const input = {
    language: "Solidity",
    sources: { "usdc-token.sol": { content: sourceText() } },
    settings: {
      evmVersion: "cancun",
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: "none" },
      outputSelection: { "*": { "*": ["evm.bytecode.object", "evm.deployedBytecode.object"] } },
    },
  };
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const failed = errors.filter(({ severity }) => severity === "error");
  if (failed.length > 0) throw new Error(failed.map((error) => error.formattedMessage).join("\n"));
  const made = CONTRACTS.map((name) => {
    const evm = contracts["usdc-token.sol"]?.[name]?.evm;
    return [name, { creation: `0x${evm?.bytecode?.object}`, deployed: `0x${evm?.deployedBytecode?.object}` }];
  });
  return { sha256: sourceHash(), contracts: Object.fromEntries(made) as Compiled["contracts"] };
}

// bun test/helpers/usdc-token.ts: compile anew.
if (import.meta.main) await Bun.write(COMPILED, `${JSON.stringify(await compile(), null, 2)}\n`);
