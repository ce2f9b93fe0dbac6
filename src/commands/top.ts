import type { OverviewAnswer } from "../admin/answers.ts";
import { sleep, systemTimers } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { askOperation, type NodePlace, reachNode } from "./ask-node.ts";
import { EXIT } from "./exit-codes.ts";
import { print, printError, toTerminal } from "./print.ts";

export interface TopOptions extends NodePlace {
  /** Prints the figures once instead of every second. */
  readonly once: boolean;
}

const EVERY_MS = 1_000;
const WIDTH_MAX = 120;

/** Shows the running node's figures in a terminal, updated every second, until it is stopped. */
export async function topCommand({ once, ...place }: TopOptions): Promise<number> {
  try {
    const node = await reachNode(place);
    const read = async () => (await askOperation(node, "overview")) as unknown as OverviewAnswer;
    // Output that is not a terminal gets the figures once, without escape codes.
    if (once || process.stdout.isTTY !== true) {
      print(renderTop(await read(), WIDTH_MAX));
      return EXIT.ok;
    }
    for (;;) {
      const width = Math.min(WIDTH_MAX, process.stdout.columns ?? WIDTH_MAX);
      const screen = await read().then(
        (overview) => renderTop(overview, width),
        (error: unknown) => messageOf(error),
      );
      process.stdout.write(`\x1b[H\x1b[2J${toTerminal(screen)}\n`);
      await sleep(systemTimers, EVERY_MS);
    }
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}

const time = (iso: string): string => iso.slice(0, 19).replace("T", " ");

/** One screen, in which no line is wider than the terminal. */
export function renderTop(at: OverviewAnswer, width: number): string {
  const { received, last_24h, latency_ms, products } = at;
  const sum = ({ organic, operator_test }: typeof received.today) =>
    `$${organic.usd} in ${organic.count}${operator_test.count > 0 ? ` (own tests ${operator_test.count})` : ""}`;
  const ms = (one: { readonly p50: number; readonly p95: number } | null) => (one ? `${one.p50}/${one.p95} ms` : "-");
  const byCode = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([code, count]) => `${code} ${count}`)
      .join(", ") || "none";
  const { paid, challenges, previews, errors_5xx } = last_24h;
  const up_min = Math.floor(at.uptime_s / 60);
  const lines = [
    `intel-node ${at.version}  ${at.status}  ${time(at.now)} UTC  up ${up_min} min  ${at.memory_mb} MB`,
    ...at.reasons.map((reason) => `  ! ${reason}`),
    ...at.open_alerts.map(({ severity, title, since }) => `  ! ${severity}: ${title} (since ${time(since)})`),
    "",
    `received   today ${sum(received.today)}   7 days ${sum(received.days_7)}   30 days ${sum(received.days_30)}`,
    `24 hours   ${paid} paid, ${challenges} asked to pay, ${previews} previews, ${errors_5xx} answers 5xx`,
    `latency    x402 ${ms(latency_ms.x402)}, key ${ms(latency_ms.key)} (median/95 %)`,
    `uncharged  ${byCode(at.uncharged_failures)}`,
    `refused    ${byCode(at.refusals)}`,
    `on sale    ${products.sold - products.off_sale} of ${products.sold}, ${products.withheld} not sold here`,
    `networks   ${at.networks.map(({ network, ok }) => `${network} ${ok ? "ok" : "DOWN"}`).join(", ") || "none"}`,
    `unknown    ${at.unknown_settlements} settlements`,
    "",
    "newest sales",
    ...at.sales.map(
      ({ settled_at, product, amount_usd, network, label }) =>
        `  ${time(settled_at)}  /${product.padEnd(24)} $${amount_usd}  ${network}  ${label}`,
    ),
  ];
  return lines.map((line) => escapeInvisible(line).slice(0, width)).join("\n");
}
