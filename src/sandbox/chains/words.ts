const NAMES = ["invalidReason", "invalidMessage", "errorReason", "errorMessage"] as const;
type RefusalWords = { readonly [Name in (typeof NAMES)[number]]?: string };

/** Why the official code refused, without what it left out. */
export const pickWords = (said: { readonly [Name in keyof RefusalWords]?: string | undefined }): RefusalWords =>
  Object.fromEntries(NAMES.flatMap((name) => (said[name] ? [[name, said[name]]] : [])));
