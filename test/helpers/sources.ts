import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export const ROOT = join(import.meta.dir, "..", "..");

/** Files below a folder of the project, as paths from its root. */
export function listSources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : listSources(path);
    return [path];
  });
}

export const readSource = (file: string): string => readFileSync(join(ROOT, file), "utf8");

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"]+)"/g;

/** What a file imports, types and lazy imports included: project paths from the root, packages by name. */
export function readImports(file: string): string[] {
  return [...readSource(file).matchAll(IMPORT)].map(([, target = ""]) =>
    target.startsWith(".") ? relative(ROOT, join(ROOT, dirname(file), target)) : target,
  );
}
