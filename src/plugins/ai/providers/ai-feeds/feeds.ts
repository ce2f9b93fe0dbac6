/** One publisher's feed about artificial intelligence. */
export interface AIFeed {
  /** As it stands in the answer and in `feeds_off`. */
  readonly id: string;
  readonly title: string;
  readonly host: string;
  readonly path: string;
  /** 1 a primary source, 2 a specialised press, 3 general press. */
  readonly tier: 1 | 2 | 3;
}

const feed = (tier: AIFeed["tier"], id: string, [title, host, path]: readonly [string, string, string]): AIFeed => ({
  ...{ id, title, host, path, tier },
});

/**
 * Feeds that exist as of November 2026. Titles, links and dates are shown, and scores derived from them; never a text.
 * Publishers without a feed (such as Anthropic) are heard of through the others.
 */
export const AI_FEEDS: readonly AIFeed[] = [
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
];

export const TIER_WEIGHT: Readonly<Record<AIFeed["tier"], number>> = { 1: 1, 2: 0.8, 3: 0.6 };
