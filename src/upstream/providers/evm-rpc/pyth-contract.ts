import type { FetchContext } from "../../../catalog/context.ts";
import { scaleInteger } from "../fixed-point.ts";
import { findPythFault, type PythPrice } from "../pyth-price.ts";
import { fetchContract, toInt, toUint } from "./eth-call.ts";

/**
 * Pyth's contracts by chain. Most feeds are only updated there when somebody pays for it, so prices can be hours old.
 * Source: pyth-network/pyth-crosschain, contract_manager EvmPriceFeedContracts.json.
 */
export const PYTH_CONTRACTS = {
  base: "0x8250f4aF4B972684F7b336503E2D6dFeDeB1487a",
  ethereum: "0x4305FB66699C3B2702D4d05CF36551390A4c69C6",
} as const;

/** getPriceUnsafe(bytes32): price, conf, expo, publishTime. */
export const GET_PRICE_UNSAFE = "0x96834ad3";
const PRICE_WORDS = 4;

/**
 * The price a Pyth contract holds, whatever its age. The contract keeps no slot, and its average is not read.
 * @throws UpstreamError
 */
export function fetchPythContractPrice(
  context: Pick<FetchContext, "get" | "now_ms">,
  { chain, feed_id, timeout_ms = 1_500 }: { chain: keyof typeof PYTH_CONTRACTS; feed_id: string; timeout_ms?: number },
): Promise<PythPrice> {
  const to = PYTH_CONTRACTS[chain];
  return fetchContract<PythPrice>(context, {
    chain,
    to,
    data: `${GET_PRICE_UNSAFE}${feed_id}`,
    words: PRICE_WORDS,
    ttl_ms: 2_000,
    timeout_ms,
    read([price_word = "", conf_word = "", expo_word = "", time_word = ""]) {
      const exponent = Number(toInt(expo_word));
      const read = {
        price: scaleInteger(toInt(price_word), exponent),
        conf: scaleInteger(toUint(conf_word), exponent),
        publish_time_ms: Number(toUint(time_word)) * 1000,
        ema_price: null,
        ema_conf: null,
        publish_slot: null,
      };
      return (
        findPythFault(read, context.now_ms) ?? {
          ...read,
          feed_id,
          exponent,
          verification: "full",
          path: "evm_contract",
          account: to,
          slot_kind: null,
          context_slot: null,
        }
      );
    },
  });
}
