import { readFileSync } from "node:fs";
import { join } from "node:path";

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.startsWith("@") ? `%40${name.slice(1)}` : name}@${version}`;

/** Turns npm's "sha512-<base64>" into the form of CycloneDX. */
function listHashes(integrity: string | undefined): readonly { readonly alg: string; readonly content: string }[] {
  const [, base64] = /^sha512-(\S+)/.exec(integrity ?? "") ?? [];
  return base64 === undefined ? [] : [{ alg: "SHA-512", content: Buffer.from(base64, "base64").toString("hex") }];
}

/**
 * The packages of the program as a CycloneDX 1.6 bill of materials (cyclonedx.org/docs/1.6/json): every package of
 * package-lock.json except test tools. It has no date and no random number, so equal sources give equal bytes.
 */
export function renderSBOM(folder: string): string {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license: string;
  };
  const components = new Map(
    Object.entries(packages)
      .filter(([path, { dev, link }]) => path !== "" && dev !== true && link !== true)
      .map(([path, entry]) => {
        const title = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
        const purl = purlOf(title, entry.version ?? "");
        const licenses = entry.license === undefined ? {} : { licenses: [{ expression: entry.license }] };
        const hashes = listHashes(entry.integrity);
        return [
          purl,
          {
            type: "library",
            "bom-ref": purl,
            name: title,
            version: entry.version ?? "",
            purl,
            ...licenses,
            ...(hashes.length > 0 ? { hashes } : {}),
          },
        ] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const own = { type: "application", "bom-ref": purlOf(name, version), name, version, purl: purlOf(name, version) };
  return `${JSON.stringify(
    {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      metadata: { component: { ...own, licenses: [{ expression: license }] } },
      components: [...components.values()],
    },
    null,
    1,
  )}\n`;
}
