import type { TSchema } from "@sinclair/typebox";
import { isLoopback } from "../core/customer-network.ts";
import { messageOf } from "../core/errors.ts";
import { type CatalogFault, collectProviders } from "./catalog.ts";
import { type Chart, parseCharts } from "./chart.ts";
import { listExampleGistFaults } from "./check-gist.ts";
import { findDefinition } from "./definition-site.ts";
import type { LoadedPlugin } from "./plugin.ts";
import type { AnyProduct } from "./product.ts";
import type { ProviderDefinition } from "./provider.ts";

const isOwn = ({ origin }: LoadedPlugin): boolean => origin === "operator";
const noteOf = (definition: object, file: string, message: string): CatalogFault => ({
  ...(findDefinition(definition) ?? { file }),
  message,
});

/** Providers that only an operator's plugins name: the sandbox plays the node's own. */
const listOwnProviders = (plugins: readonly LoadedPlugin[]): readonly ProviderDefinition[] => {
  const built_in = new Set(collectProviders(plugins.filter((one) => !isOwn(one))).map(({ id }) => id));
  return collectProviders(plugins.filter(isOwn)).filter(({ id }) => !built_in.has(id));
};

/** Providers a demo cannot ask, and simulators without a provider. */
export function listSimulatorNotes(plugins: readonly LoadedPlugin[]): readonly CatalogFault[] {
  const simulators = plugins.filter(isOwn).flatMap(({ simulators: list, file }) => list.map((one) => ({ one, file })));
  const played = new Set(simulators.map(({ one }) => one.provider));
  const named = new Set(collectProviders(plugins).map(({ id }) => id));
  return [
    ...listOwnProviders(plugins)
      .filter(({ id, chains }) => chains === undefined && !played.has(id))
      .map((provider) => {
        const what = `provider "${provider.id}" has no simulator`;
        return noteOf(provider, "plugins", `${what}: a demo answers every call of it with "no such subject"`);
      }),
    ...simulators
      .filter(({ one }) => !named.has(one.provider))
      .map(({ one, file }) =>
        noteOf(one, file, `simulator of "${one.provider}": no product or job names that provider`),
      ),
  ];
}

/** What can be sold but is probably a mistake, in an operator's own plugins. Runs their charts. */
export function listAuthorNotes(plugins: readonly LoadedPlugin[]): readonly CatalogFault[] {
  return [
    ...plugins.filter(isOwn).flatMap(listPluginNotes),
    ...listOwnProviders(plugins).flatMap((provider) =>
      provider.base_urls.filter(isOpenToOthers).map((url) => {
        return noteOf(provider, "plugins", `provider "${provider.id}": anybody on the way may change what ${url} says`);
      }),
    ),
    ...listSimulatorNotes(plugins),
  ];
}

function listPluginNotes(plugin: LoadedPlugin): readonly CatalogFault[] {
  const { id, file, products, routes = [], jobs, datasets = [] } = plugin;
  const does_nothing = [products, routes, jobs, datasets].every((list) => list.length === 0);
  return [
    ...(does_nothing ? [{ file, message: `plugin "${id}" has no products, routes, jobs or datasets` }] : []),
    ...products.flatMap(({ product, file: of }) =>
      [...listUndescribed(product), ...listChartNotes(product), ...listGistNotes(product)].map((message) =>
        noteOf(product, of, `${product.path}: ${message}`),
      ),
    ),
  ];
}

const listUndescribed = ({ params }: AnyProduct): readonly string[] =>
  Object.entries(params.properties as Readonly<Record<string, TSchema>>).flatMap(([name, { description }]) =>
    description ? [] : [`parameter "${name}" has no description: buyers and models read it`],
  );

/** Plain HTTP to another machine. */
const isOpenToOthers = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && hostname !== "localhost" && !isLoopback(hostname.replace(/^\[|\]$/g, ""));
};

/** Thrown where a chart asks for what only an upstream could tell. */
const NEEDS_INPUTS = new Error("the inputs of a run");

/** What is wrong with the example's sentence: one that cannot be written is replaced by the title in every answer. */
function listGistNotes({ title, gist, example }: AnyProduct): readonly string[] {
  if (gist === undefined) return [];
  try {
    return listExampleGistFaults({ title, gist, example });
  } catch (error) {
    return [`gist fails for the example: ${messageOf(error)}`];
  }
}

/** Whether the pictures of a preview can be made of the example: what is wrong with them costs every preview. */
function listChartNotes({ preview, example }: AnyProduct): readonly string[] {
  const { charts, rowCharts, redact } = preview;
  const copy = () => structuredClone(example.data);
  const view = {
    get data() {
      return copy();
    },
    get inputs(): never {
      throw NEEDS_INPUTS;
    },
  };
  const draw = (name: string, make: () => readonly Chart[]): readonly string[] => {
    try {
      parseCharts(make());
      return [];
    } catch (error) {
      if (error === NEEDS_INPUTS) return [];
      return [`preview.${name} fails for the example, and so would each preview: ${messageOf(error)}`];
    }
  };
  return [
    ...(charts ? draw("charts", () => charts(view)) : []),
    ...(rowCharts ? draw("rowCharts", () => rowCharts(redact ? redact(copy()) : copy())) : []),
  ];
}
