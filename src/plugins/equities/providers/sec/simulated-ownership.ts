import { addDays, type SimulatedWorld, toDate } from "intel-node";
import type { SimulatedRegistrant } from "./simulated-registrants.ts";

/** Insiders trade some days after a report of 30 days. */
const TRADE_DAYS = 33;

/** A form 4 as EDGAR has it: an officer sells, keeps some for tax, or a director buys. */
export function renderOwnership(world: SimulatedWorld, { cik, ticker, name }: SimulatedRegistrant, id: string): string {
  // The accession ends in the year and the quarter whose report the form follows.
  const [year, quarter] = [Number(id.slice(13, 17)), Number(id.slice(17))];
  const day = addDays(toDate(year, quarter * 3 + 1, 0), TRADE_DAYS);
  const sells = world.noise(`insider ${ticker} ${id}`) < 0.6;
  const shares = Math.round(1_000 + 9_000 * world.noise(`insider shares ${id}`));
  const value = (tag: string, text: string | number) => `<${tag}><value>${text}</value></${tag}>`;
  const line = (code: string, price: string) =>
    `<nonDerivativeTransaction>${value("securityTitle", "Common Stock")}${value("transactionDate", day)}` +
    `<transactionCoding><transactionFormType>4</transactionFormType><transactionCode>${code}</transactionCode>` +
    `</transactionCoding><transactionAmounts>${value("transactionShares", shares)}${price}` +
    `${value("transactionAcquiredDisposedCode", code === "P" ? "A" : "D")}</transactionAmounts>` +
    `<postTransactionAmounts>${value("sharesOwnedFollowingTransaction", shares * 12)}</postTransactionAmounts>` +
    "</nonDerivativeTransaction>";
  const priced = value("transactionPricePerShare", (100 + 100 * world.noise(`insider price ${id}`)).toFixed(2));
  const footnote = '<transactionPricePerShare><footnoteId id="F1"/></transactionPricePerShare>';
  const lines = sells ? line("S", priced) + line("F", footnote) : line("P", priced);
  return (
    '<?xml version="1.0"?><ownershipDocument><schemaVersion>X0508</schemaVersion><documentType>4</documentType>' +
    `<issuer><issuerCik>${String(cik).padStart(10, "0")}</issuerCik>` +
    `<issuerName>${name.replaceAll("&", "&amp;")}</issuerName></issuer>` +
    "<reportingOwner><reportingOwnerId><rptOwnerCik>0000000001</rptOwnerCik>" +
    `<rptOwnerName>Simulated ${sells ? "officer" : "director"}</rptOwnerName></reportingOwnerId>` +
    `<reportingOwnerRelationship><isDirector>${sells ? 0 : 1}</isDirector><isOfficer>${sells}</isOfficer>` +
    "</reportingOwnerRelationship></reportingOwner>" +
    `<nonDerivativeTable>${lines}</nonDerivativeTable></ownershipDocument>`
  );
}
