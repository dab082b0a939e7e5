import { readdirSync } from "node:fs";
import { report } from "./measure.js";

/** The sources, as a benchmark that was removed may still be there as it was built. */
export const benchNames = readdirSync(new URL("../src/benches", import.meta.url)).map((file) =>
  file.replace(/\.ts$/, ""),
);

/** Runs a benchmark with the words behind its name on the command line. */
export type Bench = (args: readonly string[]) => Promise<void>;

/** How much a benchmark does, which options of the command line change. */
interface Form<Sizes extends object> {
  /** Each number is an option: `perSecond` is `--per-second=50`. */
  sizes: Sizes;
  /** Their values with `--quick`: enough to see that it works. */
  quick: Partial<Sizes>;
  /** Words that choose parts of it; true where it takes any. */
  words?: readonly string[] | true;
}

/** Makes a benchmark: a file of `benches/` exports one, and its name is that of the file. */
export function bench<Sizes extends object>(
  { sizes, quick, words = [] }: Form<Sizes>,
  run: (sizes: Sizes, words: readonly string[]) => Promise<void>,
): Bench {
  const keys = Object.keys(sizes).filter((key) => typeof Reflect.get(sizes, key) === "number");
  return async (args) => {
    const given: Record<string, number> = {};
    const chosen: string[] = [];
    const unknown: string[] = [];
    for (const arg of args) {
      const [name = "", value] = arg.split("=");
      const key = keys.find((each) => optionOf(each) === name);
      if (key !== undefined && Number.isFinite(Number(value || Number.NaN))) given[key] = Number(value);
      else if (!arg.startsWith("--") && (words === true || words.includes(arg))) chosen.push(arg);
      else if (arg !== "--quick") unknown.push(arg);
    }
    if (unknown.length > 0) {
      const options = ["--quick", ...keys.map((key) => `${optionOf(key)}=${Reflect.get(sizes, key)}`)];
      report(`Unknown: ${unknown.join(", ")}. It takes ${[...options, ...(words === true ? [] : words)].join(", ")}`);
      process.exitCode = 1;
      return;
    }
    await run(Object.assign({}, sizes, args.includes("--quick") ? quick : {}, given), chosen);
  };
}

function optionOf(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
