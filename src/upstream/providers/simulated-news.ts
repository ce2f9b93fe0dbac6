import { createWorldMemo, type SimulatedWorld } from "../../catalog/simulator.ts";

const HOUR_MS = 3_600_000;
const NAMES: readonly string[] = [
  ...["Bitcoin", "Ethereum", "Solana", "BNB", "XRP", "Cardano", "Dogecoin", "Avalanche", "Chainlink", "Litecoin"],
  ...["Bitcoin", "Ethereum", "Bitcoin", "Solana", "Bitcoin"],
];
const SYMBOLS: Readonly<Record<string, string>> = {
  Bitcoin: "BTC",
  Ethereum: "ETH",
  Solana: "SOL",
  Cardano: "ADA",
  Dogecoin: "DOGE",
  Avalanche: "AVAX",
  Chainlink: "LINK",
  Litecoin: "LTC",
};
const RISING: readonly string[] = [
  "{} surges as fund inflows return",
  "{} rallies to a record, traders turn bullish",
  "{} gains after the network upgrade",
  "Adoption of {} grows as a payment giant announces a partnership",
];
const FALLING: readonly string[] = [
  "{} tumbles amid outflows and liquidations",
  "{} slumps sharply as traders turn bearish",
  "Regulators sue an exchange over its {} lawsuit warning",
  "{} plunges after an exploit at a lending market",
];
const FLAT: readonly string[] = [
  "{} developers meet in Lisbon this week",
  "What to know about {} before the next block reward change",
  "{} holds steady ahead of the central bank's decision",
];

export interface SimulatedStory {
  readonly id: string;
  readonly title: string;
  readonly at_ms: number;
  readonly points: number;
}

const pick = (list: readonly string[], share: number): string => list[Math.floor(share * list.length)] ?? "";

/** One headline of an hour: its mood follows the simulated price of the day, as headlines do. */
function getStory(world: SimulatedWorld, source: string, at_ms: number): SimulatedStory {
  const key = `${source} ${at_ms}`;
  const name = pick(NAMES, world.noise(`subject ${key}`));
  const symbol = SYMBOLS[name] ?? name;
  const change = world.price(symbol, at_ms) / world.price(symbol, at_ms - 24 * HOUR_MS) - 1;
  const mood = change * 20 + (world.noise(`mood ${key}`) - 0.5) * 2;
  const list = mood > 0.4 ? RISING : mood < -0.4 ? FALLING : FLAT;
  const number = Math.floor(world.noise(`id ${key}`) * 1e9);
  return {
    id: String(number),
    title: `${pick(list, world.noise(`words ${key}`)).replace("{}", name)}, day ${1 + (number % 28)}`,
    at_ms,
    points: Math.floor(world.noise(`points ${key}`) ** 4 * 300),
  };
}

/** Searches go back a week, of a dozen sources and ten coins. */
const STORIES_KEPT = 6_000;
const remember = createWorldMemo<SimulatedStory>(STORIES_KEPT);

/** Headlines of one source, newest first: one an hour, at a minute of its own. */
export function getSimulatedStories(world: SimulatedWorld, source: string, hours: number): readonly SimulatedStory[] {
  const now_ms = world.now();
  const hour = Math.floor(now_ms / HOUR_MS);
  return Array.from({ length: hours + 1 }, (_, index) => {
    const start_ms = (hour - index) * HOUR_MS;
    return remember(world, `${source} ${start_ms}`, () =>
      getStory(world, source, start_ms + Math.floor(world.noise(`minute ${source} ${start_ms}`) * 3_600) * 1000),
    );
  }).filter(({ at_ms }) => at_ms <= now_ms);
}

const escapeXML = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** A publisher's feed, RSS 2.0, as the real ones write it: newest first, titles in CDATA, the body left out. */
export function renderSimulatedFeed(world: SimulatedWorld, { source, title }: { source: string; title: string }) {
  const items = getSimulatedStories(world, source, 30).map((story) =>
    [
      "    <item>",
      `      <title><![CDATA[${story.title}]]></title>`,
      `      <link>https://news.example/${source}/${story.id}</link>`,
      `      <guid isPermaLink="false">${source}-${story.id}</guid>`,
      `      <pubDate>${new Date(story.at_ms).toUTCString().replace("GMT", "+0000")}</pubDate>`,
      "    </item>",
    ].join("\n"),
  );
  const xml = '<?xml version="1.0" encoding="UTF-8"?>';
  const head = `${xml}\n<rss version="2.0">\n  <channel>\n    <title>${escapeXML(title)}</title>`;
  return { text: `${head}\n${items.join("\n")}\n  </channel>\n</rss>\n` };
}
