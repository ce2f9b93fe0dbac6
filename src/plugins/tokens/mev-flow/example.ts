import type { MevFlowData } from "./schema.ts";

const data: MevFlowData = {
  ethereum: {
    window: {
      from: "2026-11-21T04:40:11Z",
      to: "2026-11-21T05:59:47Z",
      slots: 399,
      gap_slots: 0,
    },
    blocks: 302,
    mev_boost_share: 0.7569,
    value_eth: {
      total: 12.257321,
      mean: 0.040587,
      p50: 0.027986,
      p90: 0.040068,
      max: 0.969135,
    },
    builders: [
      {
        pubkey: "0x40a7e9acb06295d6ccc4de8b5790aa4cea3456f9bb1dd3e91f192ba5ca98bf97a38a9183832acbf1222ee9e759e0b834",
        blocks: 129,
        share_pct: 42.7152,
        value_eth: 4.529522,
      },
      {
        pubkey: "0x71da248c6049134707691aa231922056ffaf061cdd2513420d945d478f5033db830118f5c8248911264044939ae78368",
        blocks: 94,
        share_pct: 31.1258,
        value_eth: 4.560049,
      },
      {
        pubkey: "0x8ff8d40e4a4c726df40795e3134432ac66f7d055d54639c1026e341b6d2bd6e713a285ff1c173d0b02accdff3115979d",
        blocks: 45,
        share_pct: 14.9007,
        value_eth: 1.374675,
      },
      {
        pubkey: "0x81db8ebbbbc69c6c6ad4a6aa92b76e0c08af547da236b9e2c9dbe1d8285a81307480540b6f8c14be051dd6fc16da03f1",
        blocks: 26,
        share_pct: 8.6093,
        value_eth: 1.57552,
      },
      {
        pubkey: "0xd9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffac3d132b07a5658d4ba01878b73ba7db9",
        blocks: 8,
        share_pct: 2.649,
        value_eth: 0.217556,
      },
    ],
    builder_hhi: 3096.57,
    relays: [
      {
        id: "flashbots",
        payloads: 100,
        ok: true,
      },
      {
        id: "ultrasound",
        payloads: 100,
        ok: true,
      },
      {
        id: "agnostic",
        payloads: 100,
        ok: true,
      },
      {
        id: "bloxroute_max_profit",
        payloads: 86,
        ok: true,
      },
      {
        id: "bloxroute_regulated",
        payloads: 85,
        ok: true,
      },
      {
        id: "titan",
        payloads: 99,
        ok: true,
      },
      {
        id: "aestus",
        payloads: 82,
        ok: true,
      },
    ],
    top_blocks: [
      {
        block_number: 27701190,
        slot: 15701190,
        value_eth: 0.969135,
        builder: "0x71da248c6049134707691aa231922056ffaf061cdd2513420d945d478f5033db830118f5c8248911264044939ae78368",
      },
      {
        block_number: 27701303,
        slot: 15701303,
        value_eth: 0.930975,
        builder: "0x40a7e9acb06295d6ccc4de8b5790aa4cea3456f9bb1dd3e91f192ba5ca98bf97a38a9183832acbf1222ee9e759e0b834",
      },
      {
        block_number: 27701249,
        slot: 15701249,
        value_eth: 0.930552,
        builder: "0x71da248c6049134707691aa231922056ffaf061cdd2513420d945d478f5033db830118f5c8248911264044939ae78368",
      },
      {
        block_number: 27701274,
        slot: 15701274,
        value_eth: 0.925227,
        builder: "0x81db8ebbbbc69c6c6ad4a6aa92b76e0c08af547da236b9e2c9dbe1d8285a81307480540b6f8c14be051dd6fc16da03f1",
      },
      {
        block_number: 27701236,
        slot: 15701236,
        value_eth: 0.253581,
        builder: "0x71da248c6049134707691aa231922056ffaf061cdd2513420d945d478f5033db830118f5c8248911264044939ae78368",
      },
    ],
  },
  solana: {
    tip_lamports: {
      p25: 3142,
      p50: 10473,
      p75: 41890,
      p95: 1466155,
      p99: 11519787,
      ema50: 11520,
    },
    priority_fee_microlamports: {
      p50: 285,
      p90: 8939.4,
      max: 19565,
      slots: 150,
    },
  },
};

export const example = { params: {}, as_of: "2026-11-21T06:00:00Z", data };
