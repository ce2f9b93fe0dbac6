import { testSoldByTemplates } from "../../../../test/helpers/sold-by-templates.ts";
import { product } from "./product.ts";

testSoldByTemplates(product, { now_ms: Date.UTC(2026, 9, 1, 12, 34, 56) });
