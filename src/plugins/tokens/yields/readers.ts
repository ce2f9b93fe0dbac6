import type { ProtocolReader } from "./protocol.ts";
import { readers as aave } from "./protocols/aave-v3.ts";
import { readers as blazestake } from "./protocols/blazestake.ts";
import { readers as coinbase } from "./protocols/coinbase-cbeth.ts";
import { readers as compound } from "./protocols/compound-v3.ts";
import { readers as ethena } from "./protocols/ethena.ts";
import { readers as etherFi } from "./protocols/ether-fi.ts";
import { readers as fluid } from "./protocols/fluid.ts";
import { readers as frax } from "./protocols/frax-ether.ts";
import { readers as jito } from "./protocols/jito.ts";
import { readers as lido } from "./protocols/lido.ts";
import { readers as maker } from "./protocols/maker-dsr.ts";
import { readers as marinade } from "./protocols/marinade.ts";
import { readers as moonwell } from "./protocols/moonwell.ts";
import { readers as morpho } from "./protocols/morpho.ts";
import { readers as rocketPool } from "./protocols/rocket-pool.ts";
import { readers as sky } from "./protocols/sky-savings.ts";
import { readers as spark } from "./protocols/spark.ts";

export type YieldReader = ProtocolReader & { readonly id: string };

const PROTOCOLS: readonly (readonly ProtocolReader[])[] = [
  ...[aave, spark, compound, sky, lido, rocketPool, coinbase, ethena, etherFi, frax, maker, morpho, jito, marinade],
  ...[blazestake, moonwell, fluid],
];

/** What is read of every protocol; a new one is a file of `protocols/` and its line here. */
export const YIELD_READERS: readonly YieldReader[] = PROTOCOLS.flat().map((reader) => ({
  ...reader,
  id: `${reader.project}-${reader.symbol.toLowerCase()}-${reader.chain}`,
}));
