const parse = (text: string, base: string): URL | null => (URL.canParse(text, base) ? new URL(text, base) : null);

export function isSameHost(a: string, b: string): boolean {
  return parse(a, b)?.host === parse(b, a)?.host;
}

/** Host and path of an address, which are what is sold; the query only asks. */
export function addressOfHost(text: string, base: string): string | null {
  const url = parse(text, base);
  return url && `${url.host}${url.pathname.replace(/\/$/, "")}`;
}
