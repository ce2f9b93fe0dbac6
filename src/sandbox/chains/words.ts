const NAMES = ["invalidReason", "invalidMessage", "errorReason", "errorMessage"] as const;
type RefusalWords = { readonly [Name in (typeof NAMES)[number]]?: string };

/** The official code's reason for a refusal, without its undefined members. */
export const pickWords = (said: { readonly [Name in keyof RefusalWords]?: string | undefined }): RefusalWords =>
  Object.fromEntries(NAMES.flatMap((name) => (said[name] ? [[name, said[name]]] : [])));
