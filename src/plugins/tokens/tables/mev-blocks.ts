import { mevBlocks } from "../shared/mev/blocks.ts";

export const table = mevBlocks;
