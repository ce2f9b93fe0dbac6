/** The purpose of a feed. */
export const TOPICS = ["ai", "crypto", "macro", "geo", "brazil"] as const;
export type FeedTopic = (typeof TOPICS)[number];

/** One publisher's feed. */
export interface Feed {
  /** As named in the answer and in `feeds_off`. */
  readonly id: string;
  readonly title: string;
  readonly host: string;
  readonly path: string;
  readonly topic: FeedTopic;
  /** 1 a primary source, 2 a specialised press, 3 general press, 4 paid press releases. */
  readonly tier: 1 | 2 | 3 | 4;
}

const listOf =
  (topic: FeedTopic) =>
  (tier: Feed["tier"], id: string, [title, host, path]: readonly [string, string, string]): Feed => ({
    id,
    title,
    host,
    path,
    topic,
    tier,
  });
const [feed, crypto, macro, geo, brazil] = [
  ...[listOf("ai"), listOf("crypto"), listOf("macro"), listOf("geo"), listOf("brazil")],
] as const;

/**
 * Feeds that exist as of November 2026. Titles, links and dates are shown, and scores derived from them; never a text.
 * Publishers without a feed (such as Anthropic) are heard of through the others. Agencies of governments are primary
 * sources of what they decide.
 */
export const FEEDS: readonly Feed[] = [
  feed(1, "openai", ["OpenAI", "openai.com", "/news/rss.xml"]),
  feed(1, "deepmind", ["Google DeepMind", "deepmind.google", "/blog/rss.xml"]),
  feed(1, "google_ai", ["Google AI", "blog.google", "/innovation-and-ai/technology/ai/rss/"]),
  feed(1, "google_research", ["Google Research", "research.google", "/blog/rss/"]),
  feed(1, "mistral", ["Mistral AI", "mistral.ai", "/news/rss"]),
  feed(1, "hugging_face", ["Hugging Face", "huggingface.co", "/blog/feed.xml"]),
  feed(1, "microsoft_research", ["Microsoft Research", "www.microsoft.com", "/en-us/research/feed/"]),
  feed(1, "microsoft_ai", ["Microsoft", "news.microsoft.com", "/source/topics/ai/feed/"]),
  feed(1, "meta", ["Meta", "about.fb.com", "/news/feed/"]),
  feed(1, "meta_engineering", ["Engineering at Meta", "engineering.fb.com", "/feed/"]),
  feed(1, "apple_ml", ["Apple Machine Learning Research", "machinelearning.apple.com", "/rss.xml"]),
  feed(1, "nvidia", ["NVIDIA", "blogs.nvidia.com", "/feed/"]),
  feed(1, "nvidia_developer", ["NVIDIA Developer", "developer.nvidia.com", "/blog/feed"]),
  feed(1, "aws_ml", ["AWS Machine Learning", "aws.amazon.com", "/blogs/machine-learning/feed/"]),
  feed(1, "ollama", ["Ollama", "ollama.com", "/blog/rss.xml"]),
  feed(1, "together", ["Together AI", "www.together.ai", "/blog/rss.xml"]),
  feed(1, "arxiv_ai", ["arXiv cs.AI", "export.arxiv.org", "/rss/cs.AI"]),
  feed(1, "arxiv_lg", ["arXiv cs.LG", "rss.arxiv.org", "/rss/cs.LG"]),
  feed(2, "technology_review", [
    "MIT Technology Review",
    "www.technologyreview.com",
    "/topic/artificial-intelligence/feed",
  ]),
  feed(2, "ars_technica", ["Ars Technica", "feeds.arstechnica.com", "/arstechnica/technology-lab"]),
  feed(2, "the_verge", ["The Verge", "www.theverge.com", "/rss/ai-artificial-intelligence/index.xml"]),
  feed(2, "github", ["GitHub", "github.blog", "/ai-and-ml/feed/"]),
  feed(2, "google_developers", ["Google for Developers", "developers.googleblog.com", "/feeds/posts/default/"]),
  feed(3, "techcrunch", ["TechCrunch", "techcrunch.com", "/feed/"]),
  feed(3, "hnrss", ["Hacker News front page", "hnrss.org", "/frontpage"]),
  crypto(1, "bitcoin_magazine", ["Bitcoin Magazine", "bitcoinmagazine.com", "/feed"]),
  crypto(2, "coindesk", ["CoinDesk", "www.coindesk.com", "/arc/outboundfeeds/rss/"]),
  crypto(2, "cointelegraph", ["Cointelegraph", "cointelegraph.com", "/rss"]),
  crypto(2, "decrypt", ["Decrypt", "decrypt.co", "/feed"]),
  crypto(2, "the_defiant", ["The Defiant", "thedefiant.io", "/feed"]),
  crypto(3, "cryptoslate", ["CryptoSlate", "cryptoslate.com", "/feed/"]),
  crypto(3, "unchained", ["Unchained", "unchainedcrypto.com", "/feed/"]),
  crypto(4, "chainwire", ["Chainwire", "chainwire.org", "/feed/"]),
  macro(1, "fed_press", ["Federal Reserve", "www.federalreserve.gov", "/feeds/press_all.xml"]),
  macro(1, "fed_monetary", ["Federal Reserve, monetary policy", "www.federalreserve.gov", "/feeds/press_monetary.xml"]),
  macro(1, "fed_speeches", ["Federal Reserve, speeches", "www.federalreserve.gov", "/feeds/speeches.xml"]),
  macro(1, "ecb_press", ["European Central Bank", "www.ecb.europa.eu", "/rss/press.html"]),
  macro(1, "bank_of_england", ["Bank of England", "www.bankofengland.co.uk", "/rss/news"]),
  macro(1, "sec_press", ["US Securities and Exchange Commission", "www.sec.gov", "/news/pressreleases.rss"]),
  macro(1, "bea", ["US Bureau of Economic Analysis", "www.bea.gov", "/rss/rss.xml"]),
  macro(1, "bls", ["US Bureau of Labor Statistics", "www.bls.gov", "/feed/bls_latest.rss"]),
  macro(1, "ustr", ["US Trade Representative", "ustr.gov", "/rss.xml"]),
  macro(1, "white_house", ["The White House", "www.whitehouse.gov", "/presidential-actions/feed/"]),
  macro(2, "bbc_business", ["BBC News, business", "feeds.bbci.co.uk", "/news/business/rss.xml"]),
  macro(2, "cnbc", ["CNBC", "www.cnbc.com", "/id/100003114/device/rss/rss.html"]),
  macro(2, "ft", ["Financial Times", "www.ft.com", "/rss/home"]),
  macro(3, "yahoo_finance", ["Yahoo Finance", "finance.yahoo.com", "/news/rssindex"]),
  geo(1, "un_news", ["UN News", "news.un.org", "/feed/subscribe/en/news/all/rss.xml"]),
  geo(2, "bbc_world", ["BBC News, world", "feeds.bbci.co.uk", "/news/world/rss.xml"]),
  geo(2, "guardian_world", ["The Guardian, world", "www.theguardian.com", "/world/rss"]),
  geo(2, "gcaptain", ["gCaptain", "gcaptain.com", "/feed/"]),
  geo(3, "foreign_affairs", ["Foreign Affairs", "www.foreignaffairs.com", "/rss.xml"]),
  brazil(2, "agencia_brasil", ["Agência Brasil", "agenciabrasil.ebc.com.br", "/rss/economia/feed.xml"]),
  brazil(3, "infomoney", ["InfoMoney", "www.infomoney.com.br", "/feed/"]),
  brazil(3, "g1_economia", ["g1 Economia", "g1.globo.com", "/rss/g1/economia/"]),
];

export const TIER_WEIGHT: Readonly<Record<Feed["tier"], number>> = { 1: 1, 2: 0.8, 3: 0.6, 4: 0.3 };
