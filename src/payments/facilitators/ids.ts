export interface NamedFacilitator {
  readonly kind: "remote" | "embedded" | "sandbox";
  /** None where it runs in process. */
  readonly url?: string | undefined;
  readonly networks?: readonly string[] | undefined;
}

/**
 * Names facilitators so that payments which wait for a word of theirs still find them after the operator has moved them
 * to another place in the list or another port: by kind, host and path; in process, by network. Only where two would be
 * called the same does the port decide, then the place. A sandbox listens on another port at every start.
 */
export function nameFacilitators(entries: readonly NamedFacilitator[]): readonly string[] {
  const plain = entries.map((entry) => plainName(entry));
  const exact = entries.map((entry, index) => (isShared(plain, index) ? plainName(entry, true) : (plain[index] ?? "")));
  return exact.map((name, index) => {
    const place = exact.slice(0, index).filter((other) => other === name).length;
    return place === 0 ? name : `${name}#${place + 1}`;
  });
}

const isShared = (names: readonly string[], index: number): boolean =>
  names.some((name, other) => other !== index && name === names[index]);

function plainName({ kind, url, networks = [] }: NamedFacilitator, with_port = false): string {
  if (url === undefined) return [kind, ...networks].join(":");
  const { hostname, port, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, "");
  if (kind === "sandbox" && !with_port) return `sandbox:${path === "" ? "/" : path}`;
  return `${kind}:${hostname}${with_port && port !== "" ? `:${port}` : ""}${path}`;
}
