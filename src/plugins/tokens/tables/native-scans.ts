import { nativeScans } from "../whales/tables.ts";

export const table = nativeScans;
