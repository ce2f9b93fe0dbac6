import { decodeFunctionData, encodeFunctionResult, parseAbi, toFunctionSelector } from "viem";

interface View {
  readonly to: string;
  readonly data: string;
}
type Rounds = readonly (readonly (readonly string[] | null)[])[];
interface Reader {
  readonly views: readonly View[];
  readonly more?: (rounds: Rounds) => readonly View[];
}
/** By signature as published, what a function returns: several values as a list. Null reverts. */
type Functions = Readonly<Record<string, (args: readonly unknown[], to: string) => unknown>>;

/**
 * What the views of a reader return, round by round, by contracts of which only published signatures are known: viem
 * finds the function by its selector, reads its arguments and encodes what it returns. Any other view reverts.
 */
export function playContract({ views, more }: Reader, functions: Functions, rounds_max = 3): Rounds {
  const known = new Map(
    Object.entries(functions).map(([signature, answer]) => [
      toFunctionSelector(signature),
      { abi: parseAbi([signature] as readonly string[]), answer },
    ]),
  );
  const call = ({ to, data }: View): readonly string[] | null => {
    const found = known.get(data.slice(0, 10) as `0x${string}`);
    if (!found) return null;
    const { args = [] } = decodeFunctionData({ abi: found.abi, data: data as `0x${string}` }) as {
      args?: readonly unknown[];
    };
    const result = found.answer(args, to);
    if (result === null) return null;
    return encodeFunctionResult({ abi: found.abi, result } as never)
      .slice(2)
      .match(/.{64}/g);
  };
  const rounds: (readonly (readonly string[] | null)[])[] = [];
  for (let next = views; next.length > 0 && rounds.length < rounds_max; next = more?.(rounds) ?? []) {
    rounds.push(next.map(call));
  }
  return rounds;
}

const CONVERT = "function convertToAssets(uint256 shares) view returns (uint256)";
const ASSETS = "function totalAssets() view returns (uint256)";
const WAD = 10n ** 18n;

/** What a vault says, by the signatures of EIP-4626; a function that says null reverts. */
interface Vault {
  /** What so many smallest units of a share are worth, in the underlying's smallest unit. */
  readonly worth: bigint | null;
  /** 10^18 unless given. */
  readonly of_shares?: bigint;
  /** In the underlying's smallest unit. */
  readonly assets: bigint | null;
}

/** What the views of a reader return by a vault of EIP-4626, which rounds down as its text says. */
export const playVault = (reader: Reader, { worth, of_shares = WAD, assets }: Vault): Rounds =>
  playContract(reader, {
    [CONVERT]: ([shares]) => (worth === null ? null : (BigInt(String(shares)) * worth) / of_shares),
    [ASSETS]: () => assets,
  });
