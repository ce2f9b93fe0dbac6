/**
 * Runs in a fresh folder beside one release of a client: loads the driver, makes its purchases one after the other and
 * says what came of each. Whatever fails before the first purchase is the release's own.
 */
const say = (line) => process.stdout.write(`\n@@ ${JSON.stringify(line)}\n`);

/** What went wrong, with what was behind it. */
function explain(error) {
  const reasons = [];
  for (let one = error; one && reasons.length < 4; one = one.cause) reasons.push(String(one.message ?? one));
  return reasons.join(" < ");
}

const toText = (answer) => (typeof answer === "string" ? answer : (JSON.stringify(answer) ?? ""));

async function load() {
  try {
    const { load: prepare } = await import("./driver.mjs");
    return await prepare(JSON.parse(process.env.BUYER));
  } catch (error) {
    say({ unusable: explain(error) });
    process.exit(0);
  }
}

for (const [call, buy] of Object.entries(await load())) {
  try {
    say({ call, answer: toText(await buy()) });
  } catch (error) {
    say({ call, error: explain(error) });
    break;
  }
}
say({ done: true });
process.exit(0);
