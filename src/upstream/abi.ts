import type {
  Abi,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionReturnType,
  EncodeFunctionDataParameters,
  ParseAbi,
} from "viem";

/** Kinds of functions by their effect on state; a read call may use any of them. */
type Mutability = "pure" | "view" | "nonpayable" | "payable";

/** Functions and events of a contract, by their Solidity signatures. */
export interface ContractAbi<A extends Abi> {
  /** Call data of a function: selector and arguments, 0x-prefixed. */
  encode<N extends ContractFunctionName<A, Mutability>>(
    name: N,
    args: ContractFunctionArgs<A, Mutability, N>,
  ): `0x${string}`;
  /** The decoded result of a function. Throws on an impossible result, with which a reader refuses the answer. */
  decode<N extends ContractFunctionName<A, Mutability>>(
    name: N,
    data: string,
  ): ContractFunctionReturnType<A, Mutability, N>;
  /** The first topic of an event's logs. */
  topic(event: string): `0x${string}`;
  /** A log's event and arguments; null for a log of another event. */
  decodeLog(log: { readonly topics: readonly string[]; readonly data: string }): {
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
  } | null;
}

const isHex = (text: string): text is `0x${string}` => /^0x[0-9a-fA-F]*$/.test(text);

function toHex(text: string): `0x${string}` {
  if (!isHex(text)) throw new TypeError("not hex");
  return text;
}

/**
 * Reads Solidity signatures, such as "function balanceOf(address) view returns (uint256)". viem does the coding, and is
 * loaded with the first signature, because most nodes start without it.
 * @throws when a signature is malformed.
 */
export async function loadAbi<const T extends readonly string[]>(
  signatures: T,
): Promise<ContractAbi<ParseAbi<T> extends Abi ? ParseAbi<T> : Abi>> {
  const { decodeEventLog, decodeFunctionResult, encodeEventTopics, encodeFunctionData, parseAbi } = await import(
    "viem"
  );
  // The type above knows the signatures; viem's functions get the general type.
  const abi = parseAbi(signatures as readonly string[]) as Abi;
  return {
    encode: (functionName, args) =>
      encodeFunctionData({ abi, functionName, args } as unknown as EncodeFunctionDataParameters),
    decode: (functionName, data) =>
      decodeFunctionResult({ abi, functionName: String(functionName), data: toHex(data) }) as never,
    topic(eventName) {
      const [topic] = encodeEventTopics({ abi, eventName });
      if (typeof topic !== "string") throw new TypeError(`${eventName} has no topic`);
      return topic;
    },
    decodeLog({ topics, data }) {
      const [first, ...rest] = topics.map(toHex);
      if (first === undefined) return null;
      try {
        const { eventName, args } = decodeEventLog({ abi, topics: [first, ...rest], data: toHex(data) });
        return eventName === undefined ? null : { name: eventName, args: { ...args } };
      } catch {
        // The event of another contract, or one of the same name with other arguments.
        return null;
      }
    },
  };
}
