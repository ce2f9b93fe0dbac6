import { defineSimulator } from "intel-node";
import type { SimulatedListing } from "../../lists/simulated-listing.ts";
import { dayOf, escapeXML, getSimulatedListings } from "../../lists/simulated-lists.ts";

const renderEntry = ({ id, type, first, last, aliases, program, born }: SimulatedListing): string =>
  [
    `<Designation><UniqueID>SIM${id}</UniqueID><RegimeName>${program}</RegimeName>`,
    `<IndividualEntityShip>${type}</IndividualEntityShip><DateDesignated>21/09/2021</DateDesignated><Names>`,
    `<Name><Name1>${escapeXML(first)}</Name1><Name6>${escapeXML(last)}</Name6>`,
    "<NameType>Primary Name</NameType></Name>",
    ...aliases.map(
      ({ name, is_weak }) =>
        `<Name><Name6>${escapeXML(name)}</Name6><NameType>Alias</NameType>` +
        `<AliasStrength>${is_weak ? "Low quality a.k.a" : "Good quality a.k.a"}</AliasStrength></Name>`,
    ),
    "</Names>",
    born === ""
      ? ""
      : `<IndividualDetails><Individual><DOBs><DOB>${born}</DOB></DOBs></Individual></IndividualDetails>`,
    "</Designation>",
  ].join("");

/** A whole list in the United Kingdom's XML edition. @param day ISO date of its publication. */
export function renderUKList(entries: readonly SimulatedListing[], day: string): string {
  const [year = "", month = "", date = ""] = day.split("-");
  const head = `<DateGenerated>${date}/${month}/${year}</DateGenerated>`;
  return `<?xml version="1.0"?><Designations>${head}${entries.map(renderEntry).join("\n")}</Designations>`;
}

export const simulator = defineSimulator({
  provider: "uk_fcdo",
  respond({ path }, world) {
    if (path !== "/UK-Sanctions-List.xml") return { status: 404, text: "Not Found" };
    return { text: renderUKList(getSimulatedListings("uk"), dayOf(world)), headers: { "content-type": "text/xml" } };
  },
});
