import type { SimulatedWorld } from "intel-node";
import { SIMULATED_REGISTRANTS, type SimulatedRegistrant } from "./simulated-registrants.ts";
import { FILED_KINDS, listSimulatedQuarters, type SimulatedQuarter, simulateEps } from "./simulated-reports.ts";

const ORDINALS = ["first", "second", "third", "fourth"];
/** These say what they expect; the others talk of anything else. */
const GUIDING = new Set(["AAPL", "MSFT", "NVDA"]);
const escapeXML = (text: string): string => text.replaceAll("&", "&amp;");

interface Part {
  readonly type: string;
  readonly filename: string;
  readonly text: string;
}
const joinParts = (accession: string, parts: readonly Part[]): string =>
  `<SEC-DOCUMENT>${accession}.txt : 20260101\n<SEC-HEADER>${accession}.hdr.sgml : 20260101\n</SEC-HEADER>\n` +
  parts
    .map(({ type, filename, text }, index) => {
      const head = `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>${index + 1}\n<FILENAME>${filename}\n<TEXT>\n`;
      return `${head}${text}\n</TEXT>\n</DOCUMENT>\n`;
    })
    .join("") +
  "</SEC-DOCUMENT>\n";

/** A press release: what was, and in one sentence what is expected of the next quarter. */
function renderRelease(world: SimulatedWorld, registrant: SimulatedRegistrant, { year, number }: SimulatedQuarter) {
  const next = number === 4 ? { year: year + 1, number: 1 } : { year, number: number + 1 };
  const about =
    simulateEps(world, registrant, next) * (0.94 + 0.1 * world.noise(`guided ${registrant.ticker} ${year} ${number}`));
  const [low, high] = [about * 0.98, about * 1.02].map((value) => value.toFixed(2));
  const range = `between $${low} and $${high} for the ${ORDINALS[next.number - 1]} quarter of fiscal ${next.year}`;
  const words = GUIDING.has(registrant.ticker)
    ? `The company expects diluted earnings&nbsp;per share ${range}.`
    : "The company will not give any guidance at this time.";
  return (
    `<html><body><h1>${escapeXML(registrant.name)} reports results</h1>\n<p>Revenue grew.</p>\n` +
    `<p>${words} Adjusted earnings per diluted share are expected to be higher.</p></body></html>`
  );
}

/** From this day on in dollars, before it in thousands, as the forms are. */
const DOLLARS_SINCE = "2023-01-03";
const HELD = 12;

function renderHoldings(
  world: SimulatedWorld,
  { filed, end }: SimulatedQuarter,
  is_amendment: boolean,
): readonly Part[] {
  const unit = filed >= DOLLARS_SINCE ? 1 : 1_000;
  const held = is_amendment ? SIMULATED_REGISTRANTS.slice(HELD, HELD + 2) : SIMULATED_REGISTRANTS.slice(0, HELD);
  const lines = held.map(({ ticker, name }, index) => {
    const amount = Math.round(1e6 * (1 + 9 * world.noise(`held ${ticker} ${end}`)));
    const value = Math.round((amount * (50 + 200 * world.noise(`held price ${ticker} ${end}`))) / unit);
    const cusip = String(index + (is_amendment ? 500 : 100)).padStart(9, "0");
    return {
      value,
      xml:
        `<ns1:infoTable><ns1:nameOfIssuer>${escapeXML(name)}</ns1:nameOfIssuer>` +
        `<ns1:titleOfClass>COM</ns1:titleOfClass><ns1:cusip>${cusip}</ns1:cusip>` +
        `<ns1:value>${value}</ns1:value><ns1:shrsOrPrnAmt><ns1:sshPrnamt>${amount}` +
        "</ns1:sshPrnamt><ns1:sshPrnamtType>SH</ns1:sshPrnamtType></ns1:shrsOrPrnAmt>" +
        `${index === 1 ? "<ns1:putCall>Put</ns1:putCall>" : ""}` +
        "<ns1:investmentDiscretion>SOLE</ns1:investmentDiscretion></ns1:infoTable>",
    };
  });
  const [year, month, day] = end.split("-");
  const amended = "<amendmentInfo><amendmentType>NEW HOLDINGS</amendmentType></amendmentInfo>";
  const cover =
    '<?xml version="1.0"?><edgarSubmission xmlns="http://www.sec.gov/edgar/thirteenffiler"><formData><coverPage>' +
    `<reportCalendarOrQuarter>${month}-${day}-${year}</reportCalendarOrQuarter>` +
    `<isAmendment>${is_amendment}</isAmendment>${is_amendment ? amended : ""}</coverPage><summaryPage>` +
    `<tableEntryTotal>${lines.length}</tableEntryTotal>` +
    `<tableValueTotal>${lines.reduce((sum, { value }) => sum + value, 0)}</tableValueTotal>` +
    "<isConfidentialOmitted>false</isConfidentialOmitted></summaryPage></formData></edgarSubmission>";
  const table =
    '<ns1:informationTable xmlns:ns1="http://www.sec.gov/edgar/document/thirteenf/informationtable">' +
    `${lines.map(({ xml }) => xml).join("")}</ns1:informationTable>`;
  const form = is_amendment ? "13F-HR/A" : "13F-HR";
  return [
    { type: form, filename: "primary_doc.xml", text: `<XML>\n${cover}\n</XML>` },
    { type: "INFORMATION TABLE", filename: "infotable.xml", text: `<XML>\n${table}\n</XML>` },
  ];
}

/** The complete text of a filing: results with their press release, or a form 13F; null for any other. */
export function renderFiled(world: SimulatedWorld, registrant: SimulatedRegistrant, accession: string): string | null {
  const [, kind, digits] = /-(\d)(\d{5})$/.exec(accession) ?? [];
  const quarter = listSimulatedQuarters(world, registrant).find((one) => one.accession.endsWith(String(digits)));
  if (!quarter) return null;
  if (kind === FILED_KINDS.results) {
    const release = renderRelease(world, registrant, quarter);
    return joinParts(accession, [
      { type: "8-K", filename: "report.htm", text: "<html><body>Item 2.02</body></html>" },
      { type: "EX-99.1", filename: "ex991.htm", text: release },
    ]);
  }
  const is_amendment = kind === FILED_KINDS.amendment;
  if (!is_amendment && kind !== FILED_KINDS.holdings) return null;
  return joinParts(accession, renderHoldings(world, quarter, is_amendment));
}
