/** Loaded when a gas key is 25 words; a lazy import of algosdk itself would load all of it. */
export { mnemonicToSecretKey } from "algosdk";
