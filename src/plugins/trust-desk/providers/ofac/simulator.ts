import { defineSimulator } from "intel-node";
import type { SimulatedListing } from "../../lists/simulated-listing.ts";
import { dayOf, escapeXML, getSimulatedListings } from "../../lists/simulated-lists.ts";

const FILES: Readonly<Record<string, string>> = {
  "/SDN.XML": "sdn",
  "/sdn.xml": "sdn",
  "/CONSOLIDATED.XML": "consolidated",
  "/consolidated.xml": "consolidated",
};
const tag = (name: string, text: string): string => (text === "" ? "" : `<${name}>${escapeXML(text)}</${name}>`);

const renderEntry = ({ id, type, last, first, aliases, wallets, program, born }: SimulatedListing): string =>
  [
    `<sdnEntry><uid>${id}</uid>${tag("firstName", first)}${tag("lastName", last)}<sdnType>${type}</sdnType>`,
    `<programList><program>${program}</program></programList><idList>`,
    ...wallets.map(
      ({ currency, address }) =>
        `<id><uid>1</uid><idType>Digital Currency Address - ${currency}</idType><idNumber>${address}</idNumber></id>`,
    ),
    "</idList><akaList>",
    ...aliases.map(
      ({ name, is_weak }) =>
        `<aka><uid>2</uid><type>a.k.a.</type><category>${is_weak ? "weak" : "strong"}</category>` +
        `${tag("lastName", name)}</aka>`,
    ),
    `</akaList><dateOfBirthList><dateOfBirthItem>${tag("dateOfBirth", born)}</dateOfBirthItem>`,
    "</dateOfBirthList></sdnEntry>",
  ].join("");

/** A whole list in OFAC's XML edition. @param day ISO date of its publication. */
export function renderOfacList(entries: readonly SimulatedListing[], day: string): string {
  const [year = "", month = "", date = ""] = day.split("-");
  const head = `<Publish_Date>${month}/${date}/${year}</Publish_Date><Record_Count>${entries.length}</Record_Count>`;
  const body = entries.map(renderEntry).join("\n");
  return `<?xml version="1.0"?><sdnList><publshInformation>${head}</publshInformation>${body}</sdnList>`;
}

export const simulator = defineSimulator({
  provider: "ofac",
  respond({ path }, world) {
    const list = FILES[path];
    if (list === undefined) return { status: 404, text: "Not Found" };
    const text = renderOfacList(getSimulatedListings(list), dayOf(world));
    return { text, headers: { "content-type": "application/xml" } };
  },
});
