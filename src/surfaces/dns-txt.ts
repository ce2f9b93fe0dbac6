import type { SurfaceNetwork, SurfaceNode } from "./types.ts";

/** A DNS record that tells crawlers of a domain that it sells over x402, as the discovery drafts have it. */
export interface TextRecord {
  readonly name: string;
  readonly value: string;
}

/** Of one character string of a TXT record (RFC 1035); DNS providers split longer values, or refuse them. */
const VALUE_CHARS_MAX = 255;

/**
 * The TXT record the operator may publish. Null for an address that is no name, or that DNS could not lead to because
 * it has a port.
 */
export function renderDNSRecord({
  node,
  networks,
}: {
  readonly node: Pick<SurfaceNode, "public_url">;
  readonly networks: readonly Pick<SurfaceNetwork, "network">[];
}): TextRecord | null {
  const { hostname, port } = new URL(node.public_url);
  const is_name = /[a-z]/i.test(hostname) && hostname.includes(".") && !hostname.startsWith("[");
  if (!is_name || port !== "" || hostname.endsWith(".localhost")) return null;
  const parts = ["v=x402-1", `wk=${node.public_url}/.well-known/x402`, "k=resource-server"];
  const ids = networks.map(({ network }) => network).join(",");
  const whole = [...parts, ...(ids === "" ? [] : [`net=${ids}`]), "scheme=exact"].join("; ");
  const value = whole.length <= VALUE_CHARS_MAX ? whole : [...parts, "scheme=exact"].join("; ");
  return { name: `_x402.${hostname}`, value };
}
