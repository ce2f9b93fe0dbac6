import { expect, test } from "bun:test";
import { unusable } from "../../../../catalog/unusable.ts";
import { readOwnership } from "./ownership.ts";

const CIK = 320_193;
const line = (code: string, price: string, way: "A" | "D") => `<nonDerivativeTransaction>
<securityTitle><value>Common Stock</value></securityTitle>
<transactionDate><value>2026-06-03-05:00</value></transactionDate>
<transactionCoding><transactionFormType>4</transactionFormType>
<transactionCode>${code}</transactionCode></transactionCoding>
<transactionAmounts><transactionShares><value>1500</value></transactionShares>
<transactionPricePerShare>${price}</transactionPricePerShare>
<transactionAcquiredDisposedCode><value>${way}</value></transactionAcquiredDisposedCode></transactionAmounts>
<postTransactionAmounts>
<sharesOwnedFollowingTransaction><value>20000.5</value></sharesOwnedFollowingTransaction>
</postTransactionAmounts>
</nonDerivativeTransaction>`;
const form = (table: string, type = "4") => `<?xml version="1.0"?><ownershipDocument>
<documentType>${type}</documentType><issuer><issuerCik>0000320193</issuerCik><issuerName>A &amp; B</issuerName></issuer>
<reportingOwner><reportingOwnerId><rptOwnerName>A fund &amp; co</rptOwnerName></reportingOwnerId>
<reportingOwnerRelationship><isDirector>0</isDirector><isOfficer>true</isOfficer>
<isTenPercentOwner>1</isTenPercentOwner>
</reportingOwnerRelationship></reportingOwner>${table}</ownershipDocument>`;
const table = (lines: string) => `<nonDerivativeTable>${lines}</nonDerivativeTable>`;
const SOLD = line("S", "<value>202.5</value>", "D");

test("form 4: a sale, a grant for nothing, and a price that is a footnote", () => {
  const lines = SOLD + line("A", "<value>0</value>", "A") + line("F", '<footnoteId id="F1"/>', "D");
  const report = readOwnership(form(table(lines)), CIK);
  const common = { date: "2026-06-03", shares: 1_500, owned_after: 20_000.5 };
  expect(report).toEqual({
    form: "4",
    owner: "A fund & co",
    roles: ["officer", "ten_percent_owner"],
    trades: [
      { ...common, code: "S", price: 202.5, acquired: false },
      { ...common, code: "A", price: null, acquired: true },
      { ...common, code: "F", price: null, acquired: false },
    ],
  });
});

test("form 3 has holdings and no trades, form 5 is late; amendments are of their form", () => {
  const held = "<nonDerivativeHolding><securityTitle><value>x</value></securityTitle></nonDerivativeHolding>";
  for (const none of ["", table(""), table(held)])
    expect(readOwnership(form(none, "3"), CIK)).toMatchObject({ form: "3", trades: [] });
  expect(readOwnership(form(table(SOLD), "5/A"), CIK)).toMatchObject({ form: "5", trades: [{ code: "S" }] });
});

test("a form of another kind, or of another company, is refused", () => {
  const whole = form(table(SOLD));
  expect(readOwnership(whole, 1)).toEqual(unusable("a form about another company"));
  expect(readOwnership(whole.slice(0, -30), CIK)).toEqual(unusable("no well-formed XML"));
  expect(readOwnership("<!DOCTYPE html><html></html>", CIK)).toEqual(unusable("a web page, or its own entities"));
  expect(readOwnership(form(table(SOLD), "13F-HR"), CIK)).toEqual(unusable("no form 3, 4 or 5"));
  expect(readOwnership(whole.replace("<value>1500</value>", "<value>many</value>"), CIK)).toMatchObject({
    why: expect.stringContaining("a number of shares"),
  });
});
