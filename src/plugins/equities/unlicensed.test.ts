import { expect, test } from "bun:test";
import { createCatalog } from "../../catalog/catalog.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import { whyNotUsable } from "../../upstream/settings.ts";
import { registry } from "../registry.gen.ts";

const DESK = [
  ...["/forex-rate", "/forex-arbitrage", "/commodity-price", "/stock-quote", "/world-quote", "/sec-filing"],
  ...["/earnings-whisper", "/equity-dossier", "/macro-calendar", "/event-playbook", "/geo-alpha"],
  ...["/br-macro", "/br-equity", "/br-curve", "/br-agro"],
];
const SETTINGS = { enabled: true, terms_ack: false };
const listSold = (contact: string | undefined): readonly string[] => {
  const whyNot = (provider: ProviderDefinition, chain?: string) =>
    whyNotUsable(provider, SETTINGS, { allow_terms: ["open", "attribution", "unclear"], contact }) ??
    (chain === undefined || (provider.chains?.[chain] ?? []).length > 0 ? null : `needs [chains.${chain}] rpc`);
  const plugins = registry;
  const { products } = createCatalog({ plugins, prices: {}, preview_delay_ms: 900_000, reserved_paths: [], whyNot });
  return products.map(({ definition }) => definition.path).filter((path) => DESK.includes(path));
};

test("the macro desk without any key: all fifteen with a mail address for the SEC, twelve without one", () => {
  expect(listSold("operator@example.com").toSorted()).toEqual(DESK.toSorted());
  const withheld = DESK.filter((path) => !listSold(undefined).includes(path));
  expect(withheld).toEqual(["/sec-filing", "/earnings-whisper", "/equity-dossier"]);
});
