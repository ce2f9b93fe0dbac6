import { fetchListings } from "../../src/plugins/trust-desk/bazaar/listings.ts";
import { dataset as euList } from "../../src/plugins/trust-desk/datasets/eu.ts";
import { dataset as consList } from "../../src/plugins/trust-desk/datasets/ofac-cons.ts";
import { dataset as sdnList } from "../../src/plugins/trust-desk/datasets/ofac-sdn.ts";
import { dataset as ukList } from "../../src/plugins/trust-desk/datasets/uk.ts";
import { dataset as unList } from "../../src/plugins/trust-desk/datasets/un.ts";
import { cdpBazaar } from "../../src/plugins/trust-desk/providers/cdp-bazaar/provider.ts";
import type { Readings } from "../helpers/recorded.ts";
import { readDataset } from "../helpers/recorded-dataset.ts";

/** Files that are taken in whole. */
export const listReadings: Readings = {
  cdp_bazaar: [
    {
      files: ["resources.json"],
      at: "2026-10-01T00:00:00Z",
      read: (context) => fetchListings(context, cdpBazaar),
      // The example asks for a token of a test network on the main one: no USDC there.
      gives: { total: 1000, listings: [] },
    },
  ],
  eu_fsf: [
    {
      files: ["full-sanctions-list.xml"],
      at: "2018-12-22T00:00:00Z",
      read: (context) => readDataset(context, euList),
      gives: {
        published_at_ms: 1545399594511,
        rows: [
          {
            entity_id: "EU.36.64",
            entity_type: "person",
            name: "Robert Gabriel Mugabe",
            programs: "ZWE",
            listed_on: "2018-02-16",
            birth_years: "1924",
          },
          { entity_id: "EU.3523.13", kind: "primary" },
        ],
      },
    },
  ],
  ofac: [
    {
      files: ["sdn.xml"],
      at: "2014-06-01T00:00:00Z",
      read: (context) => readDataset(context, sdnList),
      // Both entries are read; the list says how many it had before it was cut.
      refused: "2 entries where the list says it has 5931",
    },
    {
      files: ["consolidated.xml"],
      at: "2026-08-14T00:00:00Z",
      read: (context) => readDataset(context, consList),
      refused: "1 entries where the list says it has 5",
    },
  ],
  uk_fcdo: [
    {
      files: ["uk-sanctions-list.xml"],
      at: "2026-09-03T00:00:00Z",
      read: (context) => readDataset(context, ukList),
      gives: {
        published_at_ms: Date.UTC(2026, 8, 2),
        rows: [
          { entity_id: "AFG0001", entity_type: "entity", listed_on: "2012-06-29", kind: "primary" },
          { name: "Haji Alim Hawala", kind: "alias" },
          { name: "Haji Hakim Hawala" },
          { entity_type: "person", name: "MOHAMMAD HASSAN AKHUND", birth_years: "1945 1946" },
        ],
      },
    },
  ],
  un_sc: [
    {
      files: ["consolidated.xml"],
      at: "2026-02-28T00:00:00Z",
      read: (context) => readDataset(context, unList),
      gives: {
        published_at_ms: 1772150409554,
        rows: [
          { entity_id: "CDi.001", name: "ERIC BADEGE", kind: "primary", listed_on: "2012-12-31", birth_years: "1971" },
          { entity_id: "IQi.001", entity_type: "person" },
        ],
      },
    },
  ],
};
