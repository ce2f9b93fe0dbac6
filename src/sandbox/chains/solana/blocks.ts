import { createHash } from "node:crypto";
import { base58 } from "@scure/base";

/** A block every 400 ms. No slot is skipped, so slot and height are the same. */
const BLOCK_MS = 400;
/** Block 0 of the simulated chain, some years back. */
const GENESIS_MS = Date.UTC(2024, 0, 1);
/** A transaction may name a block hash this many blocks old. */
export const BLOCKHASH_AGE_MAX = 150;

export const heightAt = (ms: number): number => Math.max(0, Math.floor((ms - GENESIS_MS) / BLOCK_MS));
export const blockTimeOf = (height: number): number => Math.floor((GENESIS_MS + height * BLOCK_MS) / 1_000);
export const blockhashOf = (height: number): string =>
  base58.encode(createHash("sha256").update(`sandbox solana block ${height}`).digest());

/** Whether a block hash is one of the newest 151. */
export function isRecent(blockhash: string, height: number): boolean {
  for (let age = 0; age <= BLOCKHASH_AGE_MAX && age <= height; age++) {
    if (blockhashOf(height - age) === blockhash) return true;
  }
  return false;
}
