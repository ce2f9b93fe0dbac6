import signals from "../../docs/signals.md" with { type: "text" };
import type { CatalogProduct } from "../catalog/catalog.ts";
import { sha256Hex } from "../core/hash.ts";
import { getOwn } from "../core/own.ts";
import { type MethodFamily, methodPath } from "../pages/methodology.ts";
import { MODEL_HASH, MODEL_ID } from "../plugins/crypto-market/signals/model.ts";
import { MODEL_HASH as VOTE_MODEL_HASH, MODEL_ID as VOTE_MODEL_ID } from "../plugins/crypto-market/votes/voters.ts";
import { METHOD_TEXTS } from "../plugins/method-texts.gen.ts";
import { registry } from "../plugins/registry.gen.ts";
import { readForBuyers } from "../surfaces/for-buyers.ts";
import plans from "./plans-method.md" with { type: "text" };

/** A product's method that has had its own name and address since before all products had one. */
interface NamedMethod {
  readonly id: string;
  readonly title: string;
  readonly file: string;
}

const inCrypto = (folder: string): string => `src/plugins/crypto-market/${folder}/product.ts`;
const NAMED: readonly NamedMethod[] = [
  { id: "regime", title: "Market regime", file: inCrypto("regime") },
  { id: "consensus", title: "Oracle consensus", file: inCrypto("oracle-consensus") },
  { id: "sentiment", title: "Sentiment", file: inCrypto("sentiment") },
  { id: "swarm", title: "Swarm vote", file: inCrypto("swarm-vote") },
  { id: "risk", title: "Portfolio risk", file: inCrypto("portfolio-stress") },
  { id: "correlation", title: "Correlation", file: inCrypto("correlation-matrix") },
  { id: "launch-risk", title: "Launch risk", file: "src/plugins/tokens/launch-risk/product.ts" },
];
const SIGNALS = ["alpha-signal", "sinais"].map(inCrypto);

/** Parameters of models whose records are signed, by family. */
const MODELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  signals: { [`model ${MODEL_ID}`]: MODEL_HASH },
  swarm: { [`model ${VOTE_MODEL_ID}`]: VOTE_MODEL_HASH },
};

const BUYERS_TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries(METHOD_TEXTS).map(([file, text]) => [file, readForBuyers(text)]),
);

type Described = Pick<CatalogProduct, "file" | "default_path" | "id" | "definition">;

const nameMethod = ({ file, default_path }: Described): string =>
  NAMED.find((one) => one.file === file)?.id ?? default_path.slice(1);

/** Links to the documents of neighbours lead to their pages; to what is not sold here nothing leads. */
const linkNeighbours = (text: string, products: readonly Described[]): string =>
  text.replaceAll(/\[([^\]]+)\]\(\.\.\/([a-z0-9-]+)\/README\.md\)/g, (_, said: string, folder: string) => {
    const neighbour = products.find(({ file }) => file.endsWith(`/${folder}/product.ts`));
    return neighbour ? `[${said}](${methodPath({ id: nameMethod(neighbour) })})` : said;
  });

const addDigests = (family: Omit<MethodFamily, "digests">): MethodFamily => ({
  ...family,
  digests: { [family.id]: sha256Hex(family.text), ...getOwn(MODELS, family.id) },
});

/**
 * How the figures of products are made: a family that several share, each product's own, and the plans'. The pages show
 * the documents that the code's readers have, and no other text.
 */
export function listMethods(products: readonly Described[]): readonly MethodFamily[] {
  const idsOf = (files: readonly string[]) => products.filter(({ file }) => files.includes(file)).map(({ id }) => id);
  const own = products.flatMap((product) => {
    const text = BUYERS_TEXTS.get(product.file);
    if (text === undefined) return [];
    const named = NAMED.find(({ file }) => file === product.file);
    const title = named?.title ?? product.definition.title;
    const own_method = { id: nameMethod(product), title, text, products: [product.id], is_named: named !== undefined };
    return [{ ...addDigests(own_method), text: linkNeighbours(text, products) }];
  });
  const bought = products.filter(({ definition }) => definition.plan).map(({ id }) => id);
  const shared = { id: "signals", title: "Signals and their record", text: signals, is_named: true };
  return [
    addDigests({ ...shared, products: idsOf(SIGNALS) }),
    ...own,
    ...(bought.length === 0
      ? []
      : [
          addDigests({
            id: "plans",
            title: "Prepaid balances and passes",
            text: plans,
            products: bought,
            is_named: true,
          }),
        ]),
  ];
}

/** Whether a page says how a product's figures are made. */
export const hasMethod = ({ file, definition }: Described): boolean =>
  BUYERS_TEXTS.has(file) || definition.plan !== undefined;

/** All that this program knows, whatever of it is sold now. */
const BUILT_IN: readonly Described[] = registry.flatMap(({ products }) =>
  products.map(({ file, product }) => ({
    file,
    default_path: product.path,
    id: product.path.slice(1),
    definition: product,
  })),
);

/** Digests by name: of each text, and of the parameters of the models whose records are signed. */
export const digestMethods = (): Readonly<Record<string, string>> =>
  Object.assign({}, ...listMethods(BUILT_IN).map(({ digests }) => digests));
