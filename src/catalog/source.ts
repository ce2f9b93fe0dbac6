/** One entry of the envelope's `sources[]`. `url` never holds a key. */
export interface Source {
  provider: string;
  url: string;
  fetched_at: string;
  ok: boolean;
  simulated?: true;
  error?: string;
  attribution?: { text: string; url: string };
}
