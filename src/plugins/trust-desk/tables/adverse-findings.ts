import { adverseFindings } from "../screens/adverse.ts";

export const table = adverseFindings;
