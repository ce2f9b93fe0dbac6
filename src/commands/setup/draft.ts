import type { ConfigFault } from "../../config/load.ts";
import { getOwn } from "../../core/own.ts";
import { findFacilitatorFaults } from "../../node/compose-facilitators.ts";
import { findOwnershipFaults } from "../../node/compose-ownership.ts";
import { ALERT_KEYS, type SetupField } from "../../pages/setup/fields.ts";
import { type AnswerName, type FurtherAnswers, type InitAnswers, renderConfig, type WalletName } from "../init-file.ts";
import { type LoadedFile, loadConfigText } from "../load-config-file.ts";
import type { Entered } from "./entered.ts";
import { PRICE, PROVIDER_KEY, type Sellable } from "./fields.ts";

const ANSWERS: readonly AnswerName[] = [
  ...(["name", "publicUrl", "contactEmail", "proxy", "facilitatorUrl"] as const),
  ...(["basePayTo", "solanaPayTo", "algorandPayTo", "baseRpc", "solanaRpc", "algorandRpc"] as const),
];
export const WALLETS: readonly WalletName[] = ["base", "solana", "algorand"];
/** The key under which a wallet's signed statement is kept. */
export const proofName = (wallet: WalletName): string => `proof.${wallet}`;

/** The configuration file for the entered answers, rendered as `init` renders its file. */
export function renderDraft(entered: Entered, { products, providers }: Sellable, node_id: string | null): string {
  const given = (name: string): string => getOwn(entered, name) ?? "";
  const answers: InitAnswers = Object.fromEntries(ANSWERS.map((name) => [name, given(name)]));
  const kind = given("alert.kind");
  const alert = kind === "" ? [] : ["kind", ...(getOwn(ALERT_KEYS, kind) ?? [])];
  const further: FurtherAnswers = {
    prices: products
      .map(({ path, price_usd }) => [path, given(`${PRICE}${path}`), price_usd] as const)
      .flatMap(([path, usd, own]) => (usd === "" || usd === own ? [] : [[path, usd] as const])),
    alert: alert.map((key) => [key, given(`alert.${key}`)] as const).filter(([, value]) => value !== ""),
    provider_keys: providers
      .map(({ id }) => [id, given(`${PROVIDER_KEY}${id}`)] as const)
      .filter(([, key]) => key !== ""),
    proofs: Object.fromEntries(WALLETS.map((wallet) => [wallet, given(proofName(wallet))])),
  };
  return renderConfig(answers, node_id, further);
}

/** The faults of a draft: those that belong to a field, and the others. */
export interface DraftFaults {
  readonly by_field: ReadonlyMap<string, string>;
  readonly other: readonly string[];
}

/** Whether a fault is at a field's key of the configuration, or at the entry that contains the key. */
const isOf = ({ key }: Pick<ConfigFault, "key">, field: SetupField): boolean =>
  key === field.key || key.startsWith(`${field.key}.`);

/**
 * Reads a draft as the node would read the file.
 * @returns the configuration, or the faults by field.
 */
export async function checkDraft(
  text: string,
  file: string,
  fields: readonly SetupField[],
): Promise<LoadedFile | DraftFaults> {
  const loaded = await loadConfigText(text, file);
  if (!("faults" in loaded)) {
    const other = [...findFacilitatorFaults(loaded.config), ...(await findOwnershipFaults(loaded.config))];
    return other.length === 0 ? loaded : { by_field: new Map(), other };
  }
  const { details = [] } = loaded;
  const by_field = new Map<string, string>();
  const other: string[] = details.length === 0 ? [loaded.faults] : [];
  // A wrong value is reported before missing keys of its entry.
  for (const fault of details.toSorted((a, b) => b.key.length - a.key.length)) {
    const field = fault.line === 0 ? undefined : fields.find((one) => isOf(fault, one));
    // A fault of a whole entry, such as a missing key, is shown at its first field.
    const first = field ?? fields.find((one) => fault.line > 0 && one.key.startsWith(`${fault.key}.`));
    if (first) by_field.set(first.name, by_field.get(first.name) ?? sayFault(fault));
    else other.push(sayFault(fault));
  }
  return { by_field, other };
}

/** Words a fault for a form, in which the user writes no quotes. */
const sayFault = ({ message, nearest }: ConfigFault): string =>
  `${message.replace("a text in quotes", "a text")}${nearest === undefined ? "" : `. Did you mean "${nearest}"?`}`;
