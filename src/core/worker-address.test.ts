import { expect, test } from "bun:test";
import { workerAddress } from "./worker-address.ts";

test.each([
  ["beside the source that starts it", "file:///srv/src/ledger/a.ts", "file:///srv/src/ledger/w.ts"],
  ["by its path in the compiled binary", "file:///$bunfs/root/intel-node", "file:///$bunfs/root/ledger/w.ts"],
  ["likewise on Windows", "file:///B:/~BUN/root/intel-node.exe", "file:///B:/~BUN/root/ledger/w.ts"],
])("a worker is found %s", (_where, starter, address) => {
  expect(workerAddress("ledger/w.ts", starter)).toBe(address);
});
