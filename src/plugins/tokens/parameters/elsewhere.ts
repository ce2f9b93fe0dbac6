import type { SoldElsewhere } from "intel-node";

/** Only their addresses distinguish tokens; a search finds those of a name. */
export const tokenTicker = (param: "mint" | "token"): SoldElsewhere => ({
  param,
  form: /^\$?[\p{L}\p{N}]{1,15}$/u,
  path: "/dex-screen",
  send: (value) => ({ query: value.replace(/^\$/, "") }),
  what: {
    en: "A ticker may be any token's, so the address is needed; a search lists the tokens of that name with theirs.",
    pt: "Um ticker pode ser de qualquer token, por isso é preciso o endereço; uma busca lista os tokens com esse nome.",
  },
});
