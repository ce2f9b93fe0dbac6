import type { Catalog } from "./catalog.ts";

/** A catalog that is always current; its holders need no notice when it is replaced. */
export interface LiveCatalog {
  readonly catalog: Catalog;
  exchange(next: Catalog): void;
}

/** Its members have to be read when they are needed, not once. */
export function createLiveCatalog(first: Catalog): LiveCatalog {
  let current = first;
  const catalog: Catalog = {
    get plugins() {
      return current.plugins;
    },
    get products() {
      return current.products;
    },
    get routes() {
      return current.routes;
    },
    get whole() {
      return current.whole;
    },
    get off() {
      return current.off;
    },
    get withheld() {
      return current.withheld;
    },
    get withheld_values() {
      return current.withheld_values;
    },
    get providers() {
      return current.providers;
    },
    get faults() {
      return current.faults;
    },
    get: (path) => current.get(path),
    findOff: (path) => current.findOff(path),
  };
  return {
    catalog,
    exchange: (next) => {
      current = next;
    },
  };
}
