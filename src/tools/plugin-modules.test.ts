import { expect, test } from "bun:test";
import { rewriteImports } from "./plugin-modules.ts";

const api = new Set(["defineProduct", "FetchContext", "NodeError"]);
const rewrite = (source: string) => rewriteImports("src/plugins/fx/a/fetch.ts", source, api);

test("imports from the node become imports from intel-node and its modules; all others stay", () => {
  const source = [
    'import { Type } from "@sinclair/typebox";',
    'import type { FetchContext } from "../../../catalog/context.ts";',
    'import { NodeError } from "../../../core/errors.ts";',
    'import { mean } from "../../../quant/stats.ts";',
    'import { fetchKrakenBook } from "../../../upstream/providers/kraken/order-book.ts";',
    'import { own } from "../shared/own.ts";',
    'import { unknown } from "../../../core/unknown.ts";',
    "",
  ].join("\n");
  expect(rewrite(source).split("\n")).toEqual([
    'import { Type } from "@sinclair/typebox";',
    'import { type FetchContext, NodeError } from "intel-node";',
    'import { mean } from "intel-node/quant/stats";',
    'import { fetchKrakenBook } from "intel-node/providers/kraken/order-book";',
    'import { own } from "../shared/own.ts";',
    'import { unknown } from "../../../core/unknown.ts";',
    "",
  ]);
});

test("imports already in that form stay unchanged, and type imports stay type imports", () => {
  const source = 'import type { FetchContext } from "intel-node";\n';
  expect(rewrite(source)).toBe(source);
  expect(rewrite('import { defineProduct, type FetchContext } from "intel-node";\n')).toBe(
    'import { defineProduct, type FetchContext } from "intel-node";\n',
  );
  const broken = 'import {\n  defineProduct,\n  type FetchContext,\n  NodeError,\n} from "intel-node";\n';
  expect(rewrite(broken)).toBe(broken);
});
