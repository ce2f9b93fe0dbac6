/**
 * Owners of sites: an owner's sites count once. A site that is not listed counts as its own owner.
 * From the imprints of these sites, November 2026.
 */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  Alphabet: ["google.com", "blog.google", "deepmind.google", "research.google", "googleblog.com", "youtube.com"],
  Amazon: ["amazon.com", "amazon.science", "aboutamazon.com"],
  Apollo: ["yahoo.com", "techcrunch.com", "engadget.com", "aol.com"],
  BBC: ["bbc.com", "bbc.co.uk", "bbci.co.uk"],
  Comcast: ["cnbc.com", "nbcnews.com", "msnbc.com"],
  "Condé Nast": ["arstechnica.com", "wired.com", "newyorker.com"],
  "Dow Jones": ["wsj.com", "marketwatch.com", "barrons.com", "dowjones.com"],
  EBC: ["ebc.com.br"],
  Globo: ["globo.com", "valor.com.br"],
  "Guardian Media": ["theguardian.com", "guardian.co.uk"],
  Meta: ["fb.com", "facebook.com", "meta.com", "instagram.com"],
  Microsoft: ["microsoft.com", "github.com", "github.blog", "linkedin.com"],
  Nikkei: ["nikkei.com", "ft.com"],
  NVIDIA: ["nvidia.com"],
  OpenAI: ["openai.com"],
  Vox: ["theverge.com", "vox.com", "polygon.com"],
  XP: ["infomoney.com.br", "xpi.com.br"],
  "Y Combinator": ["ycombinator.com", "hnrss.org"],
  arXiv: ["arxiv.org"],
};
const OWNER_OF = new Map(
  Object.entries(OWNERS).flatMap(([owner, sites]) => sites.map((site) => [site, owner] as const)),
);

/** The owner of a host: of the longest listed site it belongs to, else the host itself. */
export function ownerOf(host: string): string {
  const labels = host.split(".");
  for (let from = 0; from < labels.length - 1; from += 1) {
    const owner = OWNER_OF.get(labels.slice(from).join("."));
    if (owner !== undefined) return owner;
  }
  return host;
}
