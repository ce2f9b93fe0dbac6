import { createParam, type ParamOptions, type StandardParam } from "./parameter.ts";

/** Chains by the name they have here, with the other names they go by; CAIP-2 ids among them. */
const NAMES = {
  ethereum: ["eth", "eip155:1"],
  base: ["eip155:8453"],
  arbitrum: ["arb", "arbitrum-one", "eip155:42161"],
  optimism: ["op", "eip155:10"],
  polygon: ["matic", "pol", "eip155:137"],
  bsc: ["bnb", "binance-smart-chain", "eip155:56"],
  avalanche: ["avax", "eip155:43114"],
  gnosis: ["xdai", "eip155:100"],
  solana: ["sol", "solana:5eykt4usfv8p8njdtrepy1vzqkqzkvdp"],
  algorand: ["algo", "algorand:wghe2pwdvd7s12bl5faop20egyesn73k"],
  bitcoin: ["btc", "bip122:000000000019d6689c085ae165831e93"],
} as const;

export type Chain = keyof typeof NAMES;

export interface ChainParamOptions<C extends Chain> extends ParamOptions {
  readonly allowed: readonly C[];
}

/** A chain by its name. */
export function chainParam<C extends Chain>(options: ChainParamOptions<C>): StandardParam<C> {
  const { allowed } = options;
  const by_name = new Map<string, C>(
    allowed.flatMap((chain) => [chain, ...NAMES[chain]].map((name): [string, C] => [name, chain])),
  );
  return createParam<C>({
    name: "chain",
    ...options,
    forms: "Case does not matter; short names (eth) and CAIP-2 ids are understood.",
    chars_max: 60,
    read: (text) => by_name.get(text.toLowerCase().replaceAll(/[ _]/g, "-")) ?? null,
    wants: `must be one of ${allowed.join(", ")}`,
    allowed,
  });
}
