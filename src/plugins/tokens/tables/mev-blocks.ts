import { mevBlocks } from "../mev/blocks.ts";

export const table = mevBlocks;
