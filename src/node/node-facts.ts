import type { Catalog } from "../catalog/catalog.ts";
import type { Models } from "../catalog/model.ts";
import type { NodeFacts, SoldProduct } from "../catalog/node-facts.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../core/clock.ts";
import type { NodeIdentity } from "../core/identity.ts";
import type { Ledger } from "../ledger/ledger.ts";

export interface NodeFactsParts {
  readonly config: Pick<Config, "node">;
  readonly identity: NodeIdentity;
  readonly ledger: Pick<Ledger, "receipts">;
  readonly version: string;
  readonly clock: Clock;
  readonly models: Pick<Models, "list">;
  readonly askSelf: NodeFacts["askSelf"];
  readonly listPeers: NodeFacts["listPeers"];
  readonly provePayee: NodeFacts["provePayee"];
}

/** The facts, and what they learn later: the catalog is made after what its products run on. */
export interface OwnFacts {
  readonly facts: NodeFacts;
  noteCatalog(catalog: Pick<Catalog, "products">): void;
  notePublicURL(url: string): void;
}

/** What the node tells its own products of itself. */
export function createNodeFacts({
  config,
  identity,
  ledger,
  version,
  clock,
  models,
  askSelf,
  listPeers,
  provePayee,
}: NodeFactsParts): OwnFacts {
  const { receipts } = ledger;
  let public_url = config.node.public_url ?? null;
  let catalog: Pick<Catalog, "products"> = { products: [] };
  const facts: NodeFacts = {
    node_id: identity.node_id,
    public_key: identity.public_key,
    brand: config.node.brand,
    name: config.node.name,
    version,
    started_at_ms: clock.now(),
    askSelf,
    listPeers,
    provePayee,
    get public_url() {
      return public_url;
    },
    listProducts: () => catalog.products.map(toSold),
    listModels: models.list,
    async readReceiptTotals() {
      const { organic, "operator-test": operator_test } = await receipts.totals();
      const total = ({ count, amount }: { readonly count: number; readonly amount: bigint }) => ({
        count,
        amount_atomic: amount,
      });
      return { organic: total(organic), operator_test: total(operator_test) };
    },
    async readLastSettledAt() {
      const times = [...(await receipts.lastByProduct()).values()];
      return times.length === 0 ? null : Math.max(...times);
    },
    async readPayer(address) {
      const name = /^0x/i.test(address) ? address.toLowerCase() : address;
      const { amount, first_ms, last_ms, ...rest } = await receipts.totalsOf(name);
      return { ...rest, amount_atomic: amount, first_settled_at_ms: first_ms, last_settled_at_ms: last_ms };
    },
  };
  return {
    facts,
    noteCatalog: (known) => {
      catalog = known;
    },
    notePublicURL: (url) => {
      public_url = url;
    },
  };
}

const toSold = ({
  path,
  methods,
  definition,
  price_usd,
  price_atomic,
  tiers,
}: Catalog["products"][number]): SoldProduct => ({
  path,
  methods,
  title: definition.title,
  category: definition.category,
  tags: definition.tags,
  price_usd,
  price_atomic,
  tiers: Object.fromEntries(
    [...tiers].map(([value, tier]) => [`${definition.tiers?.param ?? ""}=${value}`, tier.price_usd]),
  ),
  is_plan: definition.plan !== undefined,
});
