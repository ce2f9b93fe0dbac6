import type { ProviderDefinition } from "../catalog/provider.ts";

export const REDIRECTS_MAX = 3;

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

export const isRedirect = (status: number): boolean => REDIRECTS.includes(status);

/** Target of a redirect, if the provider names its host; a text is the reason not to follow it. */
export function findRedirect(
  { redirects }: Pick<ProviderDefinition, "redirects">,
  from: string,
  location: string | null,
): URL | string {
  if (!redirects) return "redirects are not followed";
  if (location === null || !URL.canParse(location, from)) return "it leads nowhere";
  const [base, to] = [new URL(from), new URL(location, from)];
  if (to.username !== "" || to.password !== "") return "it leads to an address with credentials";
  if (to.origin === base.origin) return to;
  if (to.protocol !== "https:" || to.port !== "") return "it leads to another port, or away from https";
  return redirects.includes(to.hostname) ? to : `it leads to ${to.hostname}, which the provider does not name`;
}
