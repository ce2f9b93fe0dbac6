import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The provenance of recorded answers: `recorded/provenance.json` beside a provider's reader names each endpoint that
 * the node calls, and the origin of the bytes kept beside it.
 */
export interface RecordedEntry {
  /**
   * Such as "GET /products/{}/ticker" ({} stands for one part of the path, a last ** for the rest of it),
   * "GET /v5/market/tickers?category=spot", "POST /info type=candleSnapshot" or "RPC eth_call".
   */
  readonly endpoint: string;
  /** `recorded`: the publisher sent it to somebody. `documented`: the publisher's documents show it as an example. */
  readonly kind: "recorded" | "documented";
  /** Name of the file beside provenance.json. */
  readonly file: string;
  /** Day of the bytes, as stated in them or by their recorder; null if it is unknown. */
  readonly date: string | null;
  /** Repository, path and commit, or address of the page. */
  readonly from: string;
  readonly licence: string;
  /** What was cut out of the answer; null if it is whole. */
  readonly cut: string | null;
  /** Default 200. */
  readonly status?: number;
  readonly note?: string;
}

/** An endpoint for which no recording or example was found. */
export interface ImaginedEntry {
  readonly endpoint: string;
  readonly kind: "imagined";
  /** The places searched. */
  readonly looked: string;
}

export interface Provenance {
  readonly provider: string;
  readonly endpoints: readonly (RecordedEntry | ImaginedEntry)[];
}

export type BytesKind = "recorded" | "documented" | "imagined";
/** The kinds, best first. */
const BYTES_KINDS: readonly BytesKind[] = ["recorded", "documented", "imagined"];

const PROVENANCE = "recorded/provenance.json";
/** Longest generated line, including its end. */
const LINE_CHARS_MAX = 121;

/** Provider folders below a root: the shared ones and those of domains. */
export function listProviderFolders(root: string): readonly string[] {
  const list = (path: string) => (existsSync(join(root, path)) ? readdirSync(join(root, path)).sort() : []);
  const parents = ["src/upstream/providers", ...list("src/plugins").map((domain) => `src/plugins/${domain}/providers`)];
  return parents.flatMap((parent) =>
    list(parent)
      .map((name) => `${parent}/${name}`)
      .filter((folder) => existsSync(join(root, folder, "provider.ts"))),
  );
}

/** Every provenance file below a root, with the folder of its bytes. */
export const readProvenances = (root: string): readonly (Provenance & { readonly folder: string })[] =>
  listProviderFolders(root)
    .filter((folder) => existsSync(join(root, folder, PROVENANCE)))
    .map((folder) => ({
      ...(JSON.parse(readFileSync(join(root, folder, PROVENANCE), "utf8")) as Provenance),
      folder: join(root, folder, "recorded"),
    }));

/** The provenances written by `check --online --record`, one folder for each provider. */
export const readRecordings = (folder: string): readonly (Provenance & { readonly folder: string })[] =>
  readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((own) => existsSync(join(own, "provenance.json")))
    .map((own) => ({ ...(JSON.parse(readFileSync(join(own, "provenance.json"), "utf8")) as Provenance), folder: own }));

/** The best record of each endpoint. */
function gradeEndpoints({ endpoints }: Provenance): ReadonlyMap<string, RecordedEntry | ImaginedEntry> {
  const best = new Map<string, RecordedEntry | ImaginedEntry>();
  for (const entry of endpoints) {
    const known = best.get(entry.endpoint);
    if (!known || BYTES_KINDS.indexOf(entry.kind) < BYTES_KINDS.indexOf(known.kind)) best.set(entry.endpoint, entry);
  }
  return best;
}

/** The number of endpoints of each kind. */
export function countKinds(provenances: readonly Provenance[]): Readonly<Record<BytesKind, number>> {
  const counts = { recorded: 0, documented: 0, imagined: 0 };
  for (const one of provenances) for (const { kind } of gradeEndpoints(one).values()) counts[kind] += 1;
  return counts;
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** The content of docs/recorded.md: each endpoint, with the bytes that its reader was tested on. */
export function renderRecordedDocument(root: string): string {
  const provenances = readProvenances(root);
  const counts = countKinds(provenances);
  const all = counts.recorded + counts.documented + counts.imagined;
  const share = (count: number) => `${count} (${all === 0 ? 0 : Math.round((100 * count) / all)} %)`;
  const rows = provenances
    .toSorted((a, b) => (a.provider < b.provider ? -1 : 1))
    .flatMap((one) =>
      [...gradeEndpoints(one)].map(([endpoint, entry]) => {
        const [date, from] = entry.kind === "imagined" ? ["", `looked: ${entry.looked}`] : [entry.date, entry.from];
        const cells = [one.provider, `\`${cell(endpoint)}\``, entry.kind, date ?? "not stated", cell(from)];
        return `| ${cells.join(" | ")} |`;
      }),
    );
  return [
    "# What each reader was proven on",
    "",
    "<!-- generated by `bun run gen` from the providers' recorded/provenance.json: do not edit -->",
    "",
    "Whether a reader understands its publisher is only known from bytes the publisher really sent. For each endpoint",
    "the node asks: `recorded` are bytes somebody got from it, `documented` is an example the publisher shows,",
    "`imagined` is neither: the reader follows the documentation, and its first real answer is the first proof. The",
    "bytes are kept small, in `recorded/` beside the reader; `provenance.json` there has the licence and what was cut.",
    "`test/contract/recorded-bytes.test.ts` reads all of them with the node's own client.",
    "",
    `${all} endpoints of ${provenances.length} providers: ${share(counts.recorded)} recorded, ` +
      `${share(counts.documented)} documented, ${share(counts.imagined)} imagined.`,
    "",
    "| provider | endpoint | bytes | of | from |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/** The content of src/upstream/imagined.gen.ts: imagined endpoints by provider, for `check` and the operator's page. */
export function renderImaginedModule(root: string, header: string): string {
  const lines = readProvenances(root)
    .toSorted((a, b) => (a.provider < b.provider ? -1 : 1))
    .flatMap((one) => {
      const graded = [...gradeEndpoints(one).values()];
      const imagined = graded.flatMap(({ endpoint, kind }) => (kind === "imagined" ? [JSON.stringify(endpoint)] : []));
      return imagined.length > 0
        ? [`  ${one.provider}: { of: ${graded.length}, imagined: [${imagined.join(", ")}] },\n`]
        : [];
    });
  return `${header}/** Endpoints whose reader was never given bytes their publisher sent or shows, by provider. */
export const IMAGINED: Readonly<Record<string, { readonly of: number; readonly imagined: readonly string[] }>> = {
${lines.join("")}};\n`;
}

/** The content of src/upstream/endpoints.gen.ts: endpoints by provider, for code that records answers. */
export function renderEndpointsModule(root: string, header: string): string {
  const lines = readProvenances(root)
    .toSorted((a, b) => (a.provider < b.provider ? -1 : 1))
    .map((one) => {
      const names = [...gradeEndpoints(one).keys()].map((name) => JSON.stringify(name));
      const line = `  ${one.provider}: [${names.join(", ")}],\n`;
      return line.length <= LINE_CHARS_MAX
        ? line
        : `  ${one.provider}: [\n${names.map((name) => `    ${name},\n`).join("")}  ],\n`;
    });
  return `${header}/** Endpoints a provider is asked at, as its provenance.json names them. */
export const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
${lines.join("")}};\n`;
}
