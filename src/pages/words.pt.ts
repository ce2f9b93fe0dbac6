/** Page texts in Brazilian Portuguese, by the English text that stands in the code. A test finds what is missing. */
export const PORTUGUESE: Readonly<Record<string, string>> = {};
