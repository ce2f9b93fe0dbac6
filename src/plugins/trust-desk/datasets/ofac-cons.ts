import { defineOfacList } from "../lists/ofac-list.ts";

/** OFAC's other lists in one file. */
export const dataset = defineOfacList({ name: "ofac-cons", file: "consolidated.xml", minute: 17 });
