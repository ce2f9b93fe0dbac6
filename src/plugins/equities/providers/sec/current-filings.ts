import { Type } from "@sinclair/typebox";
import { type EachRow, type FetchContext, type Unusable, unusable } from "intel-node";
import { CLOCK_SKEW_MAX_MS } from "intel-node/providers/clock-skew";
import { sec } from "./provider.ts";
import { loadXML } from "./xml-parser.ts";

/** One entry of EDGAR's list of what was accepted last. A filing with several filers has several. */
export interface CurrentFiling {
  readonly accession: string;
  readonly cik: number;
  readonly company: string;
  /** The company's role in it: Filer, Subject, Filed by, Issuer. */
  readonly role: string;
  readonly form: string;
  readonly accepted_ms: number;
  /** 8-K items, such as "5.02". */
  readonly items: readonly string[];
  readonly url: string;
}

const PAGE = 100;
const TTL_MS = 120_000;
const TITLE = /^(.+?) - (.+) \((\d{10})\) \(([^)]+)\)$/;
const makeParser = () =>
  new (loadXML().XMLParser)({ ignoreAttributes: false, isArray: (name) => name === "entry", processEntities: true });

interface Entry {
  readonly title?: unknown;
  readonly updated?: unknown;
  readonly summary?: unknown;
  readonly link?: unknown;
}
/** The text of an element, with or without attributes. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null && "#text" in value ? String(value["#text"]) : "";
}

function readEntry({ title, updated, summary, link }: Entry, now_ms: number): CurrentFiling | Unusable {
  const [, form = "", company = "", cik = "", role = ""] = TITLE.exec(textOf(title).trim()) ?? [];
  const body = textOf(summary);
  const accession = /\d{10}-\d{2}-\d{6}/.exec(body)?.[0] ?? "";
  const accepted_ms = Date.parse(textOf(updated));
  const url = typeof link === "object" && link !== null && "@_href" in link ? String(link["@_href"]) : "";
  if (form === "" || accession === "" || Number.isNaN(accepted_ms)) return unusable("an entry cannot be read");
  if (accepted_ms > now_ms + CLOCK_SKEW_MAX_MS) return unusable("an entry lies in the future");
  if (!url.startsWith("https://www.sec.gov/Archives/")) return unusable("an entry links elsewhere");
  const items = [...body.matchAll(/Item (\d\.\d{2})/g)].map(([, code = ""]) => code);
  return { accession, cik: Number(cik), company, role, form, accepted_ms, items: [...new Set(items)], url };
}

/** The entries of the feed, or why it cannot be read. */
export function readCurrentFilings(xml: string, now_ms: number, eachRow: EachRow): readonly CurrentFiling[] | Unusable {
  if (!xml.trimStart().startsWith("<?xml")) return unusable("no XML");
  if (!xml.trimEnd().endsWith("</feed>")) return unusable("the feed is cut off");
  const { feed } = makeParser().parse(xml) as { feed?: { entry?: readonly Entry[] } };
  if (!feed) return unusable("no feed");
  return eachRow(feed.entry ?? [], (entry) => readEntry(entry, now_ms));
}

/** A page of what was accepted last of one form, newest first; empty past the end. @throws UpstreamError */
export function fetchCurrentFilings(
  context: Pick<FetchContext, "get" | "now_ms">,
  { form, page = 0 }: { readonly form: string; readonly page?: number },
): Promise<readonly CurrentFiling[]> {
  const query = `action=getcurrent&type=${encodeURIComponent(form)}&owner=include&count=${PAGE}&start=${page * PAGE}`;
  return context.get(sec, {
    path: `/cgi-bin/browse-edgar?${query}&output=atom`,
    format: "text",
    schema: Type.String({ minLength: 40 }),
    ttl_ms: TTL_MS,
    read: (xml, _, eachRow) => readCurrentFilings(xml, context.now_ms, eachRow),
  });
}
