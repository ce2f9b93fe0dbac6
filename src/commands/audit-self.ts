import { type EndpointReport, judge, type RuleResult } from "../audit/rules.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { getOwn } from "../core/own.ts";
import { fetchFacts } from "./audit-fetch.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";

export interface AuditSelfOptions {
  /** Address of the node; default: the configured one. */
  readonly url: string | undefined;
  readonly config: string;
  readonly json: boolean;
  /** Lowest acceptable score, 0 to 100. */
  readonly min_score: number;
}

/**
 * Audits the running node over HTTP as graders and registries do, and pays nothing. The exit code is 0 when all is
 * well, 1 when something is broken or the score is too low, 2 when no node could be audited.
 */
export async function auditSelfCommand(options: AuditSelfOptions): Promise<number> {
  const place = await findPlace(options);
  if ("faults" in place) {
    printError(place.faults);
    return EXIT.config;
  }
  const { url } = place;
  try {
    const report = judge(await fetchFacts(url));
    const good = !report.is_broken && report.score >= options.min_score;
    print(options.json ? JSON.stringify({ url, ok: good, ...report }) : renderReport(url, report, options.min_score));
    return good ? EXIT.ok : EXIT.failed;
  } catch (error) {
    printError(`${url} does not answer: ${messageOf(error)}`);
    return EXIT.config;
  }
}

async function findPlace({ url, config }: AuditSelfOptions): Promise<{ url: string } | { faults: string }> {
  if (url !== undefined) {
    const fits = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    return fits
      ? { url: new URL(url).origin }
      : { faults: `${url.slice(0, 200)} is no address such as https://node.example.com` };
  }
  const loaded = await loadConfigFile(config);
  if ("faults" in loaded) return loaded;
  const { host, port } = loaded.config.server;
  const known = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return { url: `http://${known}:${port}` };
}

const MARKS: Readonly<Record<string, string>> = { "0": "BROKEN ", "0.5": "warning", "1": "ok     ", null: "-      " };

const renderRule = ({ id, title, share, weight, findings }: RuleResult): readonly string[] => [
  `${getOwn(MARKS, String(share))}  ${id}${weight > 0 ? ` (${weight})` : ""}: ${title}`,
  ...findings.flatMap(({ about, fix }) => [
    `           ${escapeInvisible(about)}`,
    `           -> ${escapeInvisible(fix)}`,
  ]),
];

function renderReport(url: string, { score, is_broken, results }: EndpointReport, wanted: number): string {
  const notes = `${is_broken ? ", and something is broken" : ""}${score < wanted ? `, wanted ${wanted}` : ""}`;
  return [...results.flatMap(renderRule), `score ${score} of 100${notes}: ${url}`].join("\n");
}
