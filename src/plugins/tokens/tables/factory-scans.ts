import { factoryScans } from "../launches/factory-tables.ts";

export const table = factoryScans;
