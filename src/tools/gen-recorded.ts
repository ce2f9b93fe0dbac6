import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mergeTemplates, type Template, toTemplate } from "../upstream/recorded-template.ts";
import { type RecordedEntry, readProvenances } from "./recorded-bytes.ts";

/** Endpoints by provider, each with its recorded answers. */
type RecordedTemplates = Record<string, Record<string, Template>>;

const isGood = ({ file, status = 200 }: RecordedEntry): boolean => file.endsWith(".json") && status < 300;

/** A field is taken from the newest bytes. */
const byDate = (a: RecordedEntry, b: RecordedEntry): number => (b.date ?? "").localeCompare(a.date ?? "");

/**
 * The content of src/sandbox/recorded.gen.json: for every endpoint with a recorded JSON answer, a template with one row
 * of each list. Simulated answers are completed from it. One line for each endpoint.
 */
export function renderRecordedTemplates(root: string): string {
  const templates: RecordedTemplates = {};
  const provenances = readProvenances(root).toSorted((a, b) => (a.provider < b.provider ? -1 : 1));
  for (const { provider, endpoints, folder } of provenances) {
    const entries = endpoints.filter((one): one is RecordedEntry => one.kind !== "imagined" && isGood(one));
    for (const entry of entries.toSorted(byDate)) {
      const read = toTemplate(JSON.parse(readFileSync(join(folder, entry.file), "utf8")));
      const of_provider = templates[provider] ?? {};
      templates[provider] = of_provider;
      const known = of_provider[entry.endpoint];
      of_provider[entry.endpoint] = known ? mergeTemplates(known, read) : read;
    }
  }
  const lines = Object.entries(templates).map(
    ([provider, of_provider]) =>
      `"${provider}": {\n${Object.entries(of_provider)
        .map(([endpoint, template]) => `  ${JSON.stringify(endpoint)}: ${JSON.stringify(template)}`)
        .join(",\n")}\n}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}
