/** Whole numbers as x402 writes them. Only such texts get as far as a hash, which would not take every text. */
export const DIGITS = "^(0|[1-9][0-9]{0,77})$";
export const ADDRESS = "^0x[0-9a-fA-F]{40}$";
/** Up to 4 kB of bytes: contract wallets (ERC-1271, ERC-6492) sign with more than 65. */
export const SIGNATURE = "^0x(?:[0-9a-fA-F]{2}){1,4096}$";

/** A facilitator refuses what dies within 6 s; settling takes some more. */
export const SETTLE_MARGIN_S = 10n;
const YEAR_9999_S = 253_402_300_799n;

/** Any end is allowed; times past year 9999 are cut so that they fit a column. */
export const cutSeconds = (seconds: bigint): number => Number(seconds > YEAR_9999_S ? YEAR_9999_S : seconds);
