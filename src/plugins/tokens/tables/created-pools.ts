import { createdPools } from "../launches/factory-tables.ts";

export const table = createdPools;
