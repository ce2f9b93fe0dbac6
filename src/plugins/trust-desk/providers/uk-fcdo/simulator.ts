import { defineSimulator } from "intel-node";
import { dayOf, escapeXML, getSimulatedListings } from "../../shared/lists/simulated-lists.ts";

export const simulator = defineSimulator({
  provider: "uk_fcdo",
  respond({ path }, world) {
    if (path !== "/UK-Sanctions-List.xml") return { status: 404, text: "Not Found" };
    const designations = getSimulatedListings("uk").map(({ id, type, first, last, aliases, program }) =>
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
        "</Names></Designation>",
      ].join(""),
    );
    const [year = "", month = "", day = ""] = dayOf(world).split("-");
    const head = `<DateGenerated>${day}/${month}/${year}</DateGenerated>`;
    const text = `<?xml version="1.0"?><Designations>${head}${designations.join("\n")}</Designations>`;
    return { text, headers: { "content-type": "text/xml" } };
  },
});
