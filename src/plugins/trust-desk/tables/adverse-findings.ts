import { adverseFindings } from "../shared/adverse.ts";

export const table = adverseFindings;
