/**
 * Spellings of the signature that a key makes: numbers r and s, and which of two points r denotes. Software wallets
 * say the last as v of 27 or 28, Ledger and MPC wallets as 0 or 1, and EIP-2098 as the top bit of s in 64 bytes. All of
 * them are one signature, but USDC, most contracts and facilitators that copy them take 27 and 28 alone. So the node
 * takes every spelling and passes this one on. A signature of a contract wallet may look like any of them and mean
 * something else (Safe writes v of 0 and 1 for other things): it is passed on as it came, so whether a key made a
 * signature is found out first.
 * Source: https://eips.ethereum.org/EIPS/eip-2098
 */
const WHOLE = /^(0x[0-9a-fA-F]{128})(00|01|1[bB]|1[cC])$/;
const COMPACT = /^(0x[0-9a-fA-F]{64})([0-9a-fA-F]{64})$/;
const TOP_BIT = 1n << 255n;

/**
 * A signature by its form a key's, spelled as r, s and v of 27 or 28; null for every other form. The very text where it
 * is spelled like that already.
 */
export function toKeySignature(signature: string): string | null {
  const [, r_s = "", v = ""] = WHOLE.exec(signature) ?? [];
  if (v !== "") return v === "00" ? `${r_s}1b` : v === "01" ? `${r_s}1c` : signature;
  const [, r = "", packed = ""] = COMPACT.exec(signature) ?? [];
  if (packed === "") return null;
  const number = BigInt(`0x${packed}`);
  const is_odd = number >= TOP_BIT;
  const s = (is_odd ? number - TOP_BIT : number).toString(16).padStart(64, "0");
  return `${r}${s}${is_odd ? "1c" : "1b"}`;
}

/** The one text for all spellings of a signature. */
export const spellSignature = (signature: string): string => toKeySignature(signature) ?? signature;
