import { describe, expect, test } from "bun:test";
import { networkById } from "../table.ts";
import { algorandFamily } from "./index.ts";

const network = networkById("algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k");
if (!network) throw new Error("not in the network table");
const FEE_PAYER = "RKEOHXLUBHYZL7KS3MWTZOS5OLFGOCN7DWKBEG7TOSEADNAPN5OOTUNSLE";
const PAYER = "QE4XODVIPULV6VVDKRTMGTD6ZTFY3CURWTXDPIS56YHVXD6JWOKORTLPBU";
const SELLER = "5VESRRRI2HBMN2XJAM4JAWMVMEUVSJZ2LRR7SNRWYFDBJLEHG7I2572N4M";
const NOW_MS = Date.UTC(2026, 0, 15);

/** A payment of 10,000 units by the official client: seeds 0x01 pays the fee, 0x02 pays, 0x03 is paid. */
const GROUP = [
  "iqNmZWXNB9CiZnbNA+ijZ2VurG1haW5uZXQtdjEuMKJnaMQgwGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit+jZ3JwxCBdzCOtqcGO" +
    "FOrJ2fKmGXfzpffuNlh2Jt+Fn1mGII4mNaJsds0D8qRub3RlxA54NDAyLWZlZS1wYXllcqNyY3bEIIqI4910CfGV/VLbLTy6XXLKZwm/HZQS" +
    "G/N0iAG0D29co3NuZMQgiojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1ykdHlwZaNwYXk=",
  "gqNzaWfEQJKXlcR+H6fDRojiOObE0v6Njd8yVnEu9Nt4vuUtbbY/9bBFfBBapuV/5IigK4yBYD3VLJyAFrKBqx1AaDMN6AejdHhui6RhYW10" +
    "zScQpGFyY3bEIO1JKMYo0cLG6ukDOJBZlWEpWSc6XGP5NjbBRhSshzfRomZ2zQPoo2dlbqxtYWlubmV0LXYxLjCiZ2jEIMBhxNj8Hb3e0tdg" +
    "S+RWjj9tBBmHrDe95LYgtas5JIrfo2dycMQgXcwjranBjhTqydnyphl386X37jZYdibfhZ9ZhiCOJjWibHbNA/Kkbm90ZcQIdmVjdG9yLTGj" +
    "c25kxCCBOXcOqH0XX1ajVGbDTH7My42KkbTuN6Jd9g9bj8mzlKR0eXBlpWF4ZmVypHhhaWTOAeGrcA==",
];
const vector = { paymentGroup: GROUP, paymentIndex: 1 };
const requirement = {
  scheme: "exact",
  network: network.id,
  amount: "10000",
  asset: network.asset,
  payTo: SELLER,
  maxTimeoutSeconds: 300,
  extra: { feePayer: FEE_PAYER },
} as const;

describe("the payment of the official client", () => {
  test("is named by the transaction that pays, its payer, and who is asked to pay the fee", () => {
    const signed = algorandFamily.identify({ network, payload: vector, now_ms: NOW_MS });
    expect(signed).toMatchObject({
      replay_key: "avm:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k:K532774LLGWI2CJWNFCEV5VBPFW5J5ZDRXLATQQNAEY4EGLBCCJA",
      payer: PAYER,
      fee_payer: FEE_PAYER,
      valid_until_ms: NOW_MS + 28_000,
    });
    expect(JSON.parse(signed.payload_json)).toEqual(vector);
  });

  test("passes every check, and its signature is good", async () => {
    algorandFamily.check({ requirement, payload: vector, now_ms: NOW_MS, fee_payers: [FEE_PAYER] });
    expect(await algorandFamily.checkSignature({ network, payload: vector })).toBe("yes");
  });
});
