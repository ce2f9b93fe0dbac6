import { renderFault } from "../catalog/catalog.ts";
import { renderWithheldValues } from "../catalog/offered-product.ts";
import { renderTierPrices } from "../catalog/tiers.ts";
import type { UnusedProvider } from "../catalog/unused-providers.ts";
import { renderTime } from "../core/clock.ts";
import { IMAGINED } from "../upstream/imagined.gen.ts";
import type { QuotaStatus } from "../upstream/quotas.ts";
import { renderModel } from "./check-models.ts";
import type { CheckReport } from "./check-report.ts";
import { renderFinding } from "./online/finding.ts";

/** One line on what a provider would add. */
function renderUnused({ provider, why, turns_on, read_by, jobs }: UnusedProvider): string {
  const adds = [
    ...(turns_on.length > 0 ? [`would sell ${turns_on.join(", ")}`] : []),
    ...(read_by.length > 0 ? [`one more source of ${read_by.join(", ")}`] : []),
    ...(jobs.length > 0 ? [`read by ${jobs.join(", ")}`] : []),
  ];
  return `  adds      ${provider} (${why}): ${adds.join("; ") || "nothing by itself"}`;
}

/** The readers never tried on a publisher's real bytes, whose first test will be the first real answer. */
const renderImagined = (): readonly string[] =>
  Object.entries(IMAGINED).map(
    ([provider, { of, imagined }]) =>
      `  imagined  ${provider}: ${imagined.length} of ${of} endpoints were never read from its own bytes ` +
      `(${imagined.join(", ")}); see docs/recorded.md`,
  );

/** One line on the used part of a publisher's quota. */
export const renderQuota = ({ provider, period, spent, limit, resets_at_ms }: QuotaStatus): string =>
  `  quota     ${provider}: ${spent} of ${limit} calls this ${period}, anew at ${renderTime(resets_at_ms)}`;

/** Whether the node can be paid, and what is probably a mistake. */
export function renderPayable({ networks, receives, facilitators, notes }: CheckReport): readonly string[] {
  return [
    ...networks.map(({ network, pay_to }) => `  paid on   ${network} -> ${pay_to}`),
    ...receives.flatMap(({ network, can_be_paid, why = "" }) => {
      if (can_be_paid === "no") return [`  left out  ${network} cannot be paid: ${why}`];
      return can_be_paid === "unknown" ? [`  unchecked ${network} may not be payable: ${why}`] : [];
    }),
    ...notes.map((note) => `  note      ${note}`),
    ...(networks.length === 0 ? ["  paid on   nothing yet: set [wallets.base] pay_to"] : []),
    ...(facilitators.length === 0 ? ["  settles   nothing yet: add a [[facilitators]] entry"] : []),
  ];
}

/** The faults to fix, which come last on the screen. */
export const renderFaults = ({ faults }: CheckReport): readonly string[] =>
  faults.map((fault) => `  refuses   ${renderFault(fault)}`);

/** Every line of a check's results, for `--all`. */
export function renderWhole(file: string, report: CheckReport): readonly string[] {
  return [
    `${file}: valid`,
    ...report.products.map(
      ({ path, price_usd, tiers }) => `  sells     ${path} for ${price_usd} USD${renderTierPrices(tiers)}`,
    ),
    ...report.withheld.map(({ path, why }) => `  withholds ${path}: ${why}`),
    ...renderWithheldValues(report.withheld_values).map((line) => `  withholds ${line}`),
    ...report.unused_providers.map(renderUnused),
    ...renderImagined(),
    ...report.quotas.map(renderQuota),
    ...report.models.flatMap(renderModel),
    ...renderPayable(report),
    ...(report.online?.map(renderFinding) ?? []),
    ...renderFaults(report),
  ];
}
