import { join } from "node:path";
import { BASKET_FILE } from "../catalog/basket.ts";
import { registry } from "../plugins/registry.gen.ts";
import { createCodeDigester } from "../recompute/code-digest.ts";

/**
 * Prints the digest of the code behind every built-in product, as JSON keyed by the product's file. build.sh puts it
 * into the binary, which has no sources to compute it from. It is not committed, so a change of code touches no
 * generated file.
 */
const root = join(import.meta.dir, "..", "..");
const digest = createCodeDigester(root);
const files = [...registry.flatMap(({ products }) => products.map(({ file }) => file)), BASKET_FILE].sort();
process.stdout.write(JSON.stringify(Object.fromEntries(files.map((file) => [file, digest(join(root, file))]))));
