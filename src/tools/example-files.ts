import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Name of the file with an example, in the folder of its product. */
export const EXAMPLE_FILE = "example.gen.json";

/** Folders of products without an example file, and of example files without a product. */
export const listLostExamples = (root: string): readonly string[] =>
  readdirSync(join(root, "src/plugins"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("/product.ts") || path.endsWith(EXAMPLE_FILE))
    .map((path) => join("src/plugins", dirname(path)))
    .filter((folder, index, all) => all.indexOf(folder) === index)
    .filter((folder) => {
      const product = join(root, folder, "product.ts");
      const is_made = existsSync(join(root, folder, EXAMPLE_FILE));
      return !existsSync(product) || !is_made || !readFileSync(product, "utf8").includes(EXAMPLE_FILE);
    });
