import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { writeCatalogFiles, writeGeneratedFiles } from "./gen.ts";
import { renderNewProduct } from "./new-product-files.ts";

/** `bun run new:product <domain> <name>` writes the folder of a working product, to be edited into the new one. */
const ROOT = join(import.meta.dir, "..", "..");
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const NAME_CHARS_MAX = 40;

/**
 * Writes the files and adds them to the registry; returns their paths. An existing domain keeps its own file.
 * @throws RangeError for an invalid name, or one already in use.
 */
export function createProductFolder(domain: string, name: string, root: string = ROOT): readonly string[] {
  for (const text of [domain, name]) {
    if (!NAME.test(text) || text.length > NAME_CHARS_MAX) {
      throw new RangeError(`"${text}" must be lower-case words such as "forex-rate"`);
    }
  }
  const folder = join(root, "src/plugins", domain, name);
  if (existsSync(folder)) throw new RangeError(`${folder} is there already`);
  const taken = findPath(`/${name}`, root);
  if (taken !== undefined) throw new RangeError(`the path /${name} is already sold by ${taken}`);
  const wanted = Object.entries(renderNewProduct({ domain, name })).filter(([path]) => !existsSync(join(root, path)));
  for (const [path, text] of wanted) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return [...wanted.map(([path]) => path), ...writeGeneratedFiles(root)];
}

/** The file of the product with a given path. */
function findPath(path: string, root: string): string | undefined {
  const files = [...new Glob("src/plugins/*/*/product.ts").scanSync(root)];
  return files.find((file) => readFileSync(join(root, file), "utf8").includes(`path: "${path}"`));
}

if (import.meta.main) {
  const [domain, name, ...rest] = process.argv.slice(2);
  if (domain === undefined || name === undefined || rest.length > 0) {
    console.error("usage: bun run new:product <domain> <name>, such as: bun run new:product fx forex-rate");
    process.exit(2);
  }
  try {
    for (const path of createProductFolder(domain, name)) console.log(`wrote ${path}`);
    for (const path of await writeCatalogFiles()) console.log(`wrote ${path}`);
    console.log(`next: bun test ./src/plugins/${domain}/${name}, then change it into what you mean`);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
