import { type Clock, renderTime, systemClock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { renderUSD } from "../core/money.ts";
import { PERIOD_FAULT, type PeriodOptions, readPeriod } from "../core/named-period.ts";
import type { ExplainedTransfer } from "../ledger/explained.ts";
import { walletsOf } from "../node/compose-payments.ts";
import { createChainReader } from "../payments/landing/chain-reader.ts";
import type { IncomeComparison } from "../payments/landing/compare-income.ts";
import { readComparison, SETTLING_MS } from "../payments/landing/read-comparison.ts";
import { networkById } from "../payments/networks/table.ts";
import { explainedAt, incomeAt } from "./ask-ledger.ts";
import { findLedger } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError, terminalProgress } from "./print.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;

/** Default period: the last seven days. */
export interface BooksCompareOptions extends PeriodOptions {
  readonly data: string | undefined;
  readonly config: string;
  readonly json: boolean;
  /** Also shows transfers that the operator has explained. */
  readonly known?: boolean | undefined;
}

/** The period without its newest minutes; null if nothing is left of it. */
function findPeriod(options: BooksCompareOptions, now_ms: number) {
  const settled_ms = now_ms - SETTLING_MS;
  const { from, to, today, week, month, year } = options;
  if (!(today || week || from || to || month || year))
    return { from_ms: now_ms - DEFAULT_DAYS * DAY_MS, until_ms: settled_ms };
  const period = readPeriod(options, now_ms);
  return period && { from_ms: period.from_ms, until_ms: Math.min(period.until_ms, settled_ms) };
}

/**
 * Compares the transfers to each receiving address with the books, in both directions; works while the node runs. Exit
 * code 3 when they differ, 1 when one of the chains could not be read.
 */
export async function booksCompareCommand(options: BooksCompareOptions, { now }: Clock = systemClock): Promise<number> {
  const loaded = await loadConfigFile(options.config);
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const period = findPeriod(options, now());
  if (period === null) {
    printError(PERIOD_FAULT);
    return EXIT.config;
  }
  const place = await findLedger(options);
  if ("faults" in place) {
    printError(place.faults);
    return EXIT.config;
  }
  const { config } = loaded;
  const chain = createChainReader({
    rpc_urls: (name) => config.chains[name]?.rpc ?? [],
    access: (name) => ({
      indexer_urls: config.chains[name]?.indexer ?? [],
      headers: config.chains[name]?.headers ?? {},
    }),
    log: ({ event }) => printError(`warning: ${String(event)}`),
  });
  const compared: IncomeComparison[] = [];
  const explained = await explainedAt(place);
  const failures: { readonly network: string; readonly why: string }[] = [];
  const progress = terminalProgress();
  for (const { network, pay_to } of walletsOf(config, config.payments.testnet)) {
    progress?.(`reading ${network.title}`);
    const readIncome = (around: typeof period) => incomeAt(place, around);
    const readExplained = async () => explained;
    try {
      compared.push(await readComparison({ network, pay_to, ...period, chain, readIncome, readExplained }));
    } catch (error) {
      failures.push({ network: network.id, why: messageOf(error).slice(0, 300) });
    }
  }
  if (options.json) print(renderJSON(compared, { failures, explained }));
  else {
    const known = options.known === true ? explained : [];
    const lines = compared.flatMap((one) => [...renderComparison(one), ...renderKnown(one, known)]);
    for (const line of [...lines, ...failures.map(renderFailure)]) print(line);
  }
  const differs = compared.some(({ unbooked, not_on_chain }) => unbooked.length + not_on_chain.length > 0);
  if (differs) return EXIT.audit;
  return failures.length > 0 ? EXIT.failed : EXIT.ok;
}

const titleOf = (id: string): string => networkById(id)?.title ?? id;
const renderFailure = ({ network, why }: { network: string; why: string }): string =>
  escapeInvisible(`${titleOf(network)}: not compared: ${why}`);

/** Transfers of the period that the operator has explained, each with the reason. */
function renderKnown(one: IncomeComparison, known: readonly ExplainedTransfer[]): readonly string[] {
  return one.explained.flatMap(({ transaction, from, amount, at_ms }) => {
    const said = known.find((each) => each.network === one.network && each.transaction === transaction);
    if (said === undefined) return [];
    const sum = `${renderUSD(amount)} USDC from ${from ?? "unknown"}, ${transaction}`;
    const words = said.reference === "" ? said.reason : `${said.reason} (${said.reference})`;
    return [escapeInvisible(`  explained: ${renderTime(at_ms)}  ${sum}: ${words}`)];
  });
}

/** The result for one network, for people. */
export function renderComparison(one: IncomeComparison): readonly string[] {
  const { network, pay_to, transactions, unbooked, not_on_chain, explained, dust, unopened } = one;
  const span = `${renderTime(one.from_ms)} to ${renderTime(one.until_ms)}`;
  const verdict =
    unbooked.length + not_on_chain.length === 0
      ? "nothing is missing in the books"
      : `${unbooked.length} not in the books, ${not_on_chain.length} in the books alone`;
  return [
    `${titleOf(network)}, ${pay_to}, ${span}: ${transactions} transactions came in, ${verdict}`,
    ...(explained.length === 0 ? [] : [`  explained by you: ${explained.length}`]),
    ...(dust.count === 0
      ? []
      : [`  dust of strangers, too little to be a sale: ${dust.count}, ${renderUSD(dust.amount)} USDC in all`]),
    ...(unopened === 0 ? [] : [`  not looked into: ${unopened} transactions that the books do not know`]),
    ...unbooked.flatMap(({ at_ms, amount, from, transaction }) => [
      `  not in the books: ${renderTime(at_ms)}  ${renderUSD(amount)} USDC from ${from ?? "unknown"}, ${transaction}`,
      `    give it back from your wallet, or serve it: intel-node keys issue --credit ${renderUSD(amount)} --label ...`,
      `    or say what it is: intel-node books explain --network ${network} --transaction ${transaction} --reason ...`,
    ]),
    ...not_on_chain.map(({ booked_at_ms, amount, payer, transaction, receipt_id, on_chain }) => {
      const whose = payer === null ? "payment channels" : `${payer}, receipt ${receipt_id}`;
      const looked = on_chain === null ? "nobody looked" : `a look found it ${on_chain}`;
      const sum = `${renderUSD(amount)} USDC of ${whose}`;
      return `  not on the chain: ${renderTime(booked_at_ms)}  ${sum}, ${transaction} (${looked})`;
    }),
  ].map((line) => escapeInvisible(line));
}

interface Beside {
  readonly failures: readonly { readonly network: string; readonly why: string }[];
  readonly explained: readonly ExplainedTransfer[];
}

const renderMoved = <T extends { readonly at_ms: number; readonly amount: bigint }>({ at_ms, amount, ...row }: T) => ({
  ...row,
  at: renderTime(at_ms),
  amount_usd: renderUSD(amount),
});

function renderJSON(compared: readonly IncomeComparison[], { failures, explained: known }: Beside): string {
  const networks = compared.map(({ from_ms, until_ms, unbooked, explained, dust, not_on_chain, ...rest }) => ({
    ...rest,
    from: renderTime(from_ms),
    until: renderTime(until_ms),
    unbooked: unbooked.map(renderMoved),
    explained: explained.map((one) => {
      const said = known.find(
        ({ network, transaction }) => network === rest.network && transaction === one.transaction,
      );
      return { ...renderMoved(one), reason: said?.reason ?? null, reference: said?.reference ?? null };
    }),
    dust: { count: dust.count, amount_usd: renderUSD(dust.amount) },
    not_on_chain: not_on_chain.map(({ booked_at_ms, amount, ...row }) => ({
      ...row,
      booked_at: renderTime(booked_at_ms),
      amount_usd: renderUSD(amount),
    })),
  }));
  return JSON.stringify({ networks, not_compared: failures });
}
