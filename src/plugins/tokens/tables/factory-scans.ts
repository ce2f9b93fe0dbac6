import { factoryScans } from "../shared/launches/factory-tables.ts";

export const table = factoryScans;
