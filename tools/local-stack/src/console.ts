import { waitingLinesMax } from "./limits.js";

/** Standard output: sentences of the stack, log lines of the services. `write` is for tests. */
export type Console = ReturnType<typeof createConsole>;

export function createConsole(write: (text: string) => void = (text) => void process.stdout.write(text)) {
  const waiting: string[] = [];
  let following = false;
  return {
    /** Writes at once. */
    say: (text: string) => write(`${text}\n`),
    /** The receiver of one process's lines, which are written from {@link follow} on. */
    lineOf: (name: string) => (line: string) => {
      const text = `${name.padEnd(20)} | ${line}\n`;
      if (following) {
        write(text);
        return;
      }
      waiting.push(text);
      if (waiting.length > waitingLinesMax) waiting.shift();
    },
    /** Writes the lines so far, and from now on each as it comes. */
    follow: () => {
      following = true;
      for (const text of waiting.splice(0)) write(text);
    },
  };
}
