import { base32, base58 } from "@scure/base";
import { networkById } from "../payments/networks/table.ts";

const ALGORAND_ID_CHARS = 52;

/** A transaction id that looks real but does not exist, as a lying facilitator reports it. */
export function inventTransaction(network: string, seed: string): string {
  const bytes = new Bun.CryptoHasher("sha512").update(seed).digest();
  switch (networkById(network)?.wallet) {
    case "solana":
      return base58.encode(bytes);
    case "algorand":
      return base32.encode(bytes).slice(0, ALGORAND_ID_CHARS);
    default:
      return `0x${Buffer.from(bytes).toString("hex").slice(0, 64)}`;
  }
}
