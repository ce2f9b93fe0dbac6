import type { MppMethod } from "../types.ts";
import { evmCharge } from "./evm/charge.ts";

/** In the order they are offered. */
export const MPP_METHODS: readonly MppMethod[] = [evmCharge];

export const findMppMethod = (method: string, intent: string): MppMethod | undefined =>
  MPP_METHODS.find((one) => one.method === method && one.intent === intent);
