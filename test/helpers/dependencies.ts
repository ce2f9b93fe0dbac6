/** What package.json says about packages. */
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, unknown>>;
}

const EXACT = /^(?:npm:@?[a-z0-9./-]+@)?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

/** Versions that leave a choice to the day of installation. Overrides may be nested. */
function findLoose(versions: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(versions).flatMap(([name, version]) => {
    if (typeof version === "object" && version !== null) return findLoose({ ...version });
    return typeof version === "string" && EXACT.test(version) ? [] : [`${name} is not exact: ${version}`];
  });
}

/** Faults between package.json and the table of docs/dependencies.md (rows starting with a package in backticks). */
export function findDependencyFaults(manifest: Manifest, document: string): readonly string[] {
  const { dependencies = {}, devDependencies = {}, overrides = {} } = manifest;
  const used = Object.keys({ ...dependencies, ...devDependencies });
  const rows = [...document.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)];
  const listed = rows.map(([, name = ""]) => name);
  const thin = rows.filter(([, , cells = ""]) => cells.split("|").filter((cell) => cell.trim() !== "").length < 3);
  return [
    ...findLoose(dependencies),
    ...findLoose(devDependencies),
    ...findLoose(overrides),
    ...used.filter((name) => name in dependencies && name in devDependencies).map((name) => `${name} is listed twice`),
    ...used.filter((name) => !listed.includes(name)).map((name) => `${name} has no line in docs/dependencies.md`),
    ...listed.filter((name) => !used.includes(name)).map((name) => `${name} has a line but is not used`),
    ...listed.filter((name, at) => listed.indexOf(name) !== at).map((name) => `${name} has two lines`),
    ...thin.map(([, name = ""]) => `the line of ${name} has empty cells`),
  ];
}
