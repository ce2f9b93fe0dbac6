import { createdPools } from "../shared/launches/factory-tables.ts";

export const table = createdPools;
