import { testWrittenOfBrazil } from "../../../../test/helpers/brazil-parts.ts";
import { product } from "./product.ts";

testWrittenOfBrazil(product);
