/** Other spellings of a key's signature whose v is 27 or 28, by what says which of two points r stands for. */
export function spellSignature(signature: string): Readonly<Record<"v of 0 or 1" | "64 bytes", string>> {
  const [r, s, v] = [signature.slice(0, 66), signature.slice(66, 130), signature.slice(130)];
  const parity = v === "1c" ? 1n : 0n;
  const packed = (BigInt(`0x${s}`) | (parity << 255n)).toString(16).padStart(64, "0");
  return { "v of 0 or 1": `${r}${s}0${parity}`, "64 bytes": `${r}${packed}` };
}
