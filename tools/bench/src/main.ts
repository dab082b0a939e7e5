import { type Bench, benchNames as names } from "./bench.js";
import { report } from "./measure.js";

// npm takes away the `--` before the name; a direct call of the script has it.
const given = process.argv.slice(2);
const [name = "", ...args] = given[0] === "--" ? given.slice(1) : given;
if (!names.includes(name)) {
  report(`Usage: npm run bench -- <name>, where <name> is one of: ${names.join(", ")}`);
  process.exit(name === "--help" ? 0 : 1);
}
const { default: run }: { default: Bench } = await import(`./benches/${name}.js`);
await run(args);
