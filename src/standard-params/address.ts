import { decodeAlgorandAddress } from "../core/algorand-address.ts";
import { isAddress } from "../core/eth-address.ts";
import { isSolanaAddress } from "../core/solana-address.ts";
import { createParam, type ParamOptions, type StandardParam } from "./parameter.ts";

const READERS = {
  evm: (text: string) => (isAddress(text) ? text.toLowerCase() : null),
  solana: (text: string) => (isSolanaAddress(text) ? text : null),
  algorand: (text: string) => (decodeAlgorandAddress(text.toUpperCase()) ? text.toUpperCase() : null),
} as const;
const NAMES = { evm: "EVM", solana: "Solana", algorand: "Algorand" } as const;

export type AddressKind = keyof typeof READERS;

export interface WalletAddress<K extends AddressKind = AddressKind> {
  readonly kind: K;
  /** EVM addresses in lower case: their other case is a checksum. */
  readonly address: string;
}

export interface AddressParamOptions<K extends AddressKind> extends ParamOptions {
  readonly kinds: readonly [K, ...K[]];
}

const EVM_FORM = /^0x[0-9a-fA-F]{40}$/;

/** An address of a wallet or contract. A wrong checksum is refused: it is a slip of the finger. */
export function addressParam<K extends AddressKind>(options: AddressParamOptions<K>): StandardParam<WalletAddress<K>> {
  const { kinds } = options;
  const named = kinds.map((kind) => NAMES[kind]).join(" or ");
  return createParam<WalletAddress<K>>({
    name: "address",
    ...options,
    forms: `An address of ${named}.`,
    chars_max: 64,
    read(text) {
      for (const kind of kinds) {
        const address = READERS[kind](text);
        if (address !== null) return { kind, address };
      }
      return null;
    },
    wants: (text) =>
      EVM_FORM.test(text) && kinds.some((kind) => kind === "evm")
        ? "has a wrong EIP-55 checksum: probably a slip of the finger"
        : `must be an address of ${named}`,
  });
}
