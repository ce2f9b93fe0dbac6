import { defineOfacList } from "../lists/ofac-list.ts";

/** Specially designated nationals: the list no answer may do without. */
export const dataset = defineOfacList({ name: "ofac-sdn", file: "sdn.xml", minute: 7 });
