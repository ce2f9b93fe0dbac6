import { addBankDays, type ISODate } from "intel-node";

/** Futures this node reads, by the root of their ticker, and what one is quoted in. */
export const ROOTS = {
  DI1: { name: "one-day interbank rate", unit: "% a year" },
  DAP: { name: "real rate over the IPCA", unit: "% a year" },
  BGI: { name: "live cattle", unit: "BRL/arroba" },
  CCM: { name: "corn", unit: "BRL/60 kg" },
  ICF: { name: "arabica coffee", unit: "USD/60 kg" },
  ETH: { name: "hydrous ethanol", unit: "BRL/m3" },
  SJC: { name: "soy, cross listed from Chicago", unit: "USD/60 kg" },
  SOY: { name: "soy, FOB Santos", unit: "USD/t" },
} as const;
export type Root = keyof typeof ROOTS;
export const AGRO_ROOTS = ["BGI", "CCM", "ICF", "ETH", "SJC", "SOY"] as const;
export type AgroRoot = (typeof AGRO_ROOTS)[number];

const MONTHS = "FGHJKMNQUVXZ";
const CODE = /^(DI1|DAP|BGI|CCM|ICF|ETH|SJC|SOY)([FGHJKMNQUVXZ])(\d{2})$/;

/** A reference day, and bank holidays that no list knows. */
export interface Day {
  readonly date: ISODate;
  readonly extra?: ReadonlySet<ISODate>;
}

/** A contract's ticker taken apart. */
export interface Contract {
  readonly root: Root;
  readonly year: number;
  /** From 1. */
  readonly month: number;
}

export function parseContract(symbol: string): Contract | null {
  const [, root = "", letter = "", year = ""] = CODE.exec(symbol) ?? [];
  return root === "" ? null : { root: root as Root, year: 2000 + Number(year), month: MONTHS.indexOf(letter) + 1 };
}

export const renderContract = ({ root, year, month }: Contract): string =>
  `${root}${MONTHS[month - 1]}${String(year % 100).padStart(2, "0")}`;

const dayOf = ({ year, month }: Contract, day: number): ISODate =>
  `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

const firstOfNextMonth = ({ year, month }: Contract): ISODate =>
  month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, "0")}-01`;

const sixteenthOfMonthBefore = ({ year, month }: Contract): ISODate =>
  month === 1 ? `${year - 1}-12-16` : `${year}-${String(month - 1).padStart(2, "0")}-16`;

/**
 * The day a contract expires, by B3's contract specifications (product sheets of each contract): DI1 on the first bank
 * day of its month; DAP and CCM on the 15th or the next bank day; BGI and ETH on the last bank day of the month; ICF on
 * the sixth bank day before that one; SJC on the second bank day before its month; SOY, which settles on the Platts
 * assessment as CME's contract of the same name, on the last bank day before the 16th of the month before.
 */
function findExpiry(contract: Contract, extra?: ReadonlySet<ISODate>): ISODate {
  const month_end = addBankDays(firstOfNextMonth(contract), -1, extra);
  switch (contract.root) {
    case "DI1":
      return addBankDays(dayOf(contract, 1), 0, extra);
    case "DAP":
    case "CCM":
      return addBankDays(dayOf(contract, 15), 0, extra);
    case "ICF":
      return addBankDays(month_end, -6, extra);
    case "SJC":
      return addBankDays(dayOf(contract, 1), -2, extra);
    case "SOY":
      return addBankDays(sixteenthOfMonthBefore(contract), -1, extra);
    default:
      return month_end;
  }
}

/** Contracts of a century and eight roots are fewer. */
const known = new Map<number, ISODate>();

/** The same, remembered: a curve asks for the same hundred contracts in every answer. */
export function expiryOf(contract: Contract, extra?: ReadonlySet<ISODate>): ISODate {
  if (extra && extra.size > 0) return findExpiry(contract, extra);
  const key = (contract.year * 12 + contract.month) * 16 + Object.keys(ROOTS).indexOf(contract.root);
  const found = known.get(key) ?? findExpiry(contract);
  known.set(key, found);
  return found;
}
