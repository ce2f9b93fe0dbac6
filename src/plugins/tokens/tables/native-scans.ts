import { nativeScans } from "../shared/whales/tables.ts";

export const table = nativeScans;
