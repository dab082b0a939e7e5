import { heldLinesMax } from "./limits.js";

/** Output to the terminal: sentences of the stack, log lines of the services. */
export interface Console {
  /** Writes at once. */
  readonly say: (text: string) => void;
  /** The receiver of one process's lines; they are held back until {@link Console.follow}. */
  readonly lineOf: (process: string) => (line: string) => void;
  /** Writes what was held back, and from now on everything as it comes. */
  readonly follow: () => void;
}

/** Creates a console on standard output. `write` is for tests. */
export function createConsole(write: (text: string) => void = (text) => void process.stdout.write(text)): Console {
  const held: string[] = [];
  let following = false;
  return {
    say: (text) => write(`${text}\n`),
    lineOf: (name) => (line) => {
      const text = `${name.padEnd(20)} | ${line}\n`;
      if (following) {
        write(text);
        return;
      }
      held.push(text);
      if (held.length > heldLinesMax) held.shift();
    },
    follow: () => {
      following = true;
      for (const text of held.splice(0)) write(text);
    },
  };
}
