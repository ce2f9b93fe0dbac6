export {};

/**
 * Sends requests at a fixed rate, whatever the answers do, and prints latencies in milliseconds as JSON. Times count
 * from when a request was due, so that a server that stalls cannot hide it.
 * Arguments: url, requests per second, seconds, API key or "-".
 */
const [url = "", rate = "1000", seconds = "3", api_key = "-"] = process.argv.slice(2);
const headers: Record<string, string> = api_key === "-" ? {} : { "x-api-key": api_key };
const total = Number(rate) * Number(seconds);
const latencies: number[] = [];
let failed = 0;
const start = performance.now() + 50;
const running: Promise<void>[] = [];
for (let sent = 0; sent < total; ) {
  const now = performance.now();
  for (; sent < total && start + (sent * 1000) / Number(rate) <= now; sent++) {
    const due = start + (sent * 1000) / Number(rate);
    running.push(
      fetch(url, { headers }).then(async (response) => {
        await response.arrayBuffer();
        if (response.status !== 200) failed += 1;
        latencies.push(performance.now() - due);
      }),
    );
  }
  await Bun.sleep(0.2);
}
await Promise.all(running);
latencies.sort((a, b) => a - b);
const at = (share: number): number =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
console.log(JSON.stringify({ p50_ms: at(0.5), p99_ms: at(0.99), failed }));
