/**
 * Where a worker is loaded from: beside the module that starts it, and in the compiled binary under its path in src,
 * because there every module has the binary's own address.
 * @param path of the worker in src, such as "ledger/sqlite/ledger-worker.ts".
 * @param starter `import.meta.url` of the module that starts it, in the worker's own folder.
 */
export function workerAddress(path: string, starter: string): string {
  const is_compiled = starter.includes("/$bunfs/") || starter.includes("/~BUN/");
  const name = path.slice(path.lastIndexOf("/") + 1);
  return new URL(`./${is_compiled ? path : name}`, starter).href;
}
