/** The value of a series, its labels included, on the metrics of one process; null when it has none. */
export async function sampleOf({ url }: { url: string }, series: string): Promise<number | null> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}
