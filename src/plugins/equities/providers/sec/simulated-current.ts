import type { SimulatedWorld } from "intel-node";
import { SIMULATED_REGISTRANTS } from "./simulated-registrants.ts";

const DAY_MS = 86_400_000;
const DAYS = 5;
/** How many of each form a day. */
const PER_DAY: Readonly<Record<string, number>> = { "8-K": 45, "10-Q": 12, "10-K": 3, "NT 10-Q": 2, "NT 10-K": 1 };
const OTHERS = 1;
const ITEMS = ["2.02,9.01", "5.02,9.01", "1.01,2.03,9.01", "8.01", "7.01,9.01", "3.01,9.01", "4.02,9.01", "5.07"];
const escapeXML = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

interface Filed {
  readonly at_ms: number;
  readonly key: string;
}

/** Accepted between 06:00 and 21:00 New York on weekdays, newest first. */
function listFiled(world: SimulatedWorld, form: string): readonly Filed[] {
  const now_ms = world.now();
  const filed: Filed[] = [];
  for (let back = 0; back < DAYS; back += 1) {
    const day = Math.floor(now_ms / DAY_MS) - back;
    const weekday = new Date(day * DAY_MS).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    for (let n = 0; n < (PER_DAY[form] ?? OTHERS); n += 1) {
      const key = `${form} ${day} ${n}`;
      const at_ms = Math.floor((day * DAY_MS + (10.2 + 13 * world.noise(`filed ${key}`)) * 3_600_000) / 1000) * 1000;
      if (at_ms <= now_ms) filed.push({ at_ms, key });
    }
  }
  return filed.sort((a, b) => b.at_ms - a.at_ms);
}

function renderEntry(world: SimulatedWorld, form: string, { at_ms, key }: Filed): readonly string[] {
  const registrant = SIMULATED_REGISTRANTS[Math.floor(world.noise(`who ${key}`) * SIMULATED_REGISTRANTS.length)];
  const { cik = 1, name = "" } = registrant ?? {};
  const number = String(Math.floor(world.noise(`number ${key}`) * 1e6)).padStart(6, "0");
  const accession = `0001628280-${new Date(at_ms).toISOString().slice(2, 4)}-${number}`;
  const items = form === "8-K" ? (ITEMS[Math.floor(world.noise(`items ${key}`) * ITEMS.length)] ?? "8.01") : "";
  const lines = items.split(",").filter(Boolean);
  const day = new Date(at_ms).toISOString().slice(0, 10);
  const size = `<b>Filed:</b> ${day} <b>AccNo:</b> ${accession} <b>Size:</b> 1 MB`;
  const summary = escapeXML(size + lines.map((code) => `\n<br>Item ${code}: What it is`).join(""));
  const href = `https://www.sec.gov/Archives/edgar/data/${cik}/${accession.replaceAll("-", "")}/${accession}-index.htm`;
  const roles = form.startsWith("SC") ? ["Subject", "Filed by"] : ["Filer"];
  const time = new Date(at_ms - 4 * 3_600_000).toISOString().replace(".000Z", "-04:00");
  return roles.map(
    (role) =>
      `<entry>\n<title>${escapeXML(`${form} - ${name} (${String(cik).padStart(10, "0")}) (${role})`)}</title>\n` +
      `<link rel="alternate" type="text/html" href="${href}"/>\n<summary type="html">\n ${summary}\n</summary>\n` +
      `<updated>${time}</updated>\n<category scheme="https://www.sec.gov/" label="form type" term="${form}"/>\n` +
      `<id>urn:tag:sec.gov,2008:accession-number=${accession}</id>\n</entry>`,
  );
}

/** EDGAR's feed of one form. */
export function renderCurrent(world: SimulatedWorld, query: URLSearchParams): string {
  const form = query.get("type") ?? "";
  const [start, count] = [Number(query.get("start") ?? "0"), Number(query.get("count") ?? "40")];
  const entries = listFiled(world, form).flatMap((filed) => renderEntry(world, form, filed));
  const head = '<?xml version="1.0" encoding="ISO-8859-1" ?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n';
  return `${head}<title>Latest Filings</title>\n${entries.slice(start, start + count).join("\n")}\n</feed>\n`;
}
