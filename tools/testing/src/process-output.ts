/** Lines of the processes that a test started, shown when the test fails. */
export interface ProcessOutput {
  /** The receiver of one process's lines. */
  readonly lineOf: (process: string) => (line: string) => void;
  /** The lines of all its processes that are kept, oldest first. */
  readonly lines: () => readonly string[];
  /** Stops keeping them. */
  readonly discard: () => void;
}

interface KeptLine {
  readonly at: number;
  readonly text: string;
}

const linesKeptMax = 5_000;
const linesShownMax = 150;
const kept = new Set<KeptLine[]>();

/** Keeps output quietly until {@link showOutputSince} or {@link ProcessOutput.discard}. */
export function keepOutput(): ProcessOutput {
  const lines: KeptLine[] = [];
  kept.add(lines);
  return {
    lineOf: (process) => (line) => {
      lines.push({ at: performance.now(), text: `${process} | ${line}` });
      if (lines.length > linesKeptMax) lines.shift();
    },
    lines: () => lines.map(({ text }) => text),
    discard: () => void kept.delete(lines),
  };
}

/** Writes the last lines since a moment (`performance.now()`) to standard error. */
export function showOutputSince(since: number, title: string): void {
  const lines = [...kept].flat().filter(({ at }) => at >= since);
  if (lines.length === 0) return;
  const shown = lines.sort((left, right) => left.at - right.at).slice(-linesShownMax);
  process.stderr.write(`--- output of the stack during: ${title}\n${shown.map(({ text }) => text).join("\n")}\n---\n`);
}
