/** What is done once every file of this process has run, by test/preload.ts: for what several of them share. */
export const at_end: (() => void)[] = [];
