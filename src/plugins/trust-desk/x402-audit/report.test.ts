import { describe, expect, test } from "bun:test";
import { createTestSigner } from "../../../../test/helpers/test-signer.ts";
import { describeBadge, drawBadge } from "./badge.ts";
import { createReport, readReport } from "./report.ts";

const NOW_MS = Date.UTC(2026, 9, 1, 12);
const DAY_MS = 86_400_000;
const signer = createTestSigner();
const audited = { url: "https://seller.example/a?b=<script>", verdict: "sound", score: 97.5, checks: [] } as const;
const parts = { signer, public_url: "https://node.example", audited_at_ms: NOW_MS };
const made = createReport({ ...audited, checks: [...audited.checks] }, parts);
const sent = new URL(made.badge_url ?? "").searchParams.get("report") ?? "";

describe("a signed report", () => {
  test("is read back from its badge's address, and only with this node's key", () => {
    expect(readReport(sent, signer.public_key)).toMatchObject({
      verdict: "sound",
      score: "97.5",
      url: audited.url,
      audited_at: "2026-10-01T12:00:00Z",
      v: 1,
      checks_sha256: "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945", // of "[]"
    });
    expect(readReport(sent, `A${signer.public_key.slice(1)}`)).toBeNull();
    expect(createReport({ ...audited, checks: [] }, { ...parts, public_url: null }).badge_url).toBeNull();
  });

  test("is nothing once a word of it is changed", () => {
    const better = made.text.replace("97.5", "99.5");
    const forged = `${Buffer.from(better).toString("base64url")}.${made.signature}`;
    for (const report of [forged, "", ".", "a.b", `${sent}x`, made.signature]) {
      expect(readReport(report, signer.public_key)).toBeNull();
    }
  });
});

describe("a badge", () => {
  const claim = readReport(sent, signer.public_key);

  test("says the day with the verdict, and turns grey after 30 days", () => {
    expect(describeBadge(claim, NOW_MS)).toEqual(["sound 97.5 on 2026-10-01", "#1a7f37"]);
    expect(describeBadge(claim, NOW_MS + 30 * DAY_MS)[1]).toBe("#1a7f37");
    expect(describeBadge(claim, NOW_MS + 30 * DAY_MS + 1)).toEqual(["out of date: sound on 2026-10-01", "#57606a"]);
    expect(describeBadge(null, NOW_MS)[0]).toBe("no report of this node");
  });

  test("holds nothing of a seller that is not escaped", () => {
    const svg = drawBadge(claim, NOW_MS);
    expect(svg).toStartWith("<svg ");
    expect(svg).not.toContain("<script");
    expect(svg).toContain("https://seller.example/a?b=&#60;script&#62;: sound 97.5");
  });

  test("shows its seller in the picture, so that nobody can use another's badge", () => {
    expect(drawBadge(claim, NOW_MS)).toContain(">x402 audit of seller.example</text>");
    if (claim === null) throw new Error("no claim");
    const long = { ...claim, url: `https://${"seller.".repeat(9)}example.evil.test/` };
    expect(drawBadge(long, NOW_MS)).toMatch(/>x402 audit of \.\.\.[a-z.]+\.evil\.test<\/text>/);
  });
});
