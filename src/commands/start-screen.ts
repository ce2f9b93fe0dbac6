import { renderFault } from "../catalog/catalog.ts";
import { type EndingTable, renderEndingTable } from "../catalog/dated-tables.ts";
import { renderWithheldValues } from "../catalog/offered-product.ts";
import type { RunningNode } from "../node/parts.ts";

export interface ScreenOptions {
  readonly version: string;
  readonly config_file: string;
  readonly data_dir: string;
  /** A note for the operator about a proxy in front, or null. */
  readonly proxy_note?: string | null;
  /** Tables of dates that end soon. */
  readonly endings?: readonly EndingTable[];
  readonly node: Pick<
    RunningNode,
    "url" | "public_url" | "identity" | "catalog" | "wallets" | "facilitators" | "whyUnpayable" | "new_ledger" | "state"
  >;
}

/** The screen at start: addresses, payable networks, products, what is not sold and why, and next steps. */
export function renderStartScreen({
  version,
  config_file,
  data_dir,
  proxy_note,
  endings = [],
  node,
}: ScreenOptions): string {
  const { catalog, wallets } = node;
  const facilitators = node.facilitators();
  const networks = wallets.flatMap(({ network, pay_to }) => {
    const states = facilitators
      .filter((one) => one.networks.includes(network.id) || !one.ok)
      .map((one) => `${one.url} ${one.ok ? "up" : `down: ${one.last_error ?? "not asked yet"}`}`);
    const why = node.whyUnpayable(network.id);
    return [
      `  ${network.title} (${network.id}) -> ${pay_to}`,
      ...(why === null ? [] : [`    LEFT OUT: ${why}`]),
      ...states.map((state) => `    facilitator ${state}`),
    ];
  });
  const state = node.state();
  const sold = catalog.products.map(({ path, price_usd }) => `${path} ${price_usd}`);
  const facilitator = facilitators.length === 0 ? " and a [[facilitators]] entry" : "";
  const none = `  none: set [wallets.base] pay_to${facilitator} to sell; free pages work`;
  return [
    `intel-node ${version}   ${node.identity.node_id}`,
    `config   ${config_file}`,
    `data     ${data_dir}${node.new_ledger ? "   NEW: this start made a new ledger" : ""}`,
    `bind     ${node.url}`,
    `public   ${node.public_url}`,
    "networks",
    ...(networks.length > 0 ? networks : [none]),
    `state    ${state.status}`,
    ...state.reasons_for_operator.map((reason) => `  ${reason}`),
    ...(proxy_note ? [`  ${proxy_note}`] : []),
    `products ${sold.length} ${state.status === "failing" ? "made, none for sale" : "ready"}: ${sold.join(", ")}`,
    ...catalog.withheld.map(({ path, why }) => `  withheld ${path}: ${why}`),
    ...renderWithheldValues(catalog.withheld_values).map((line) => `  withheld ${line}`),
    ...endings.map((table) => `  ends     ${renderEndingTable(table)}`),
    ...catalog.faults.map((fault) => `  refused ${renderFault(fault)}`),
    `next     curl -i ${node.url}${catalog.products[0]?.path ?? "/live"}`,
    "",
  ].join("\n");
}

export interface SetupScreenOptions {
  readonly version: string;
  /** Path of the configuration file to be written. */
  readonly file: string;
  /** Address of the preview. */
  readonly url: string;
  /** The code that opens the set-up once. */
  readonly address: string;
  /** Whether it may be opened from the operator's network, in which this machine has another name. */
  readonly is_lan: boolean;
}

/** The screen at the start of a node that has no configuration file yet. */
export const renderSetupScreen = ({ version, file, url, address, is_lan }: SetupScreenOptions): string =>
  [
    `intel-node ${version}   not set up yet: there is no ${file}`,
    `preview  ${url}   everything is free, nothing can be paid`,
    `set up   ${address}`,
    "         opens once, within an hour, in a browser; it writes the file, and the node sells",
    ...(is_lan
      ? ['         from another machine: put the name or address of this one in the place of "localhost"']
      : []),
    'or       "intel-node init" asks the same here',
    "",
  ].join("\n");
