import { z } from "zod";
import type { Bench } from "../bench.js";
import { Accounts } from "../load/accounts.js";
import { measureLoad } from "../load/measure-load.js";
import { readOptions, usage } from "../load/options.js";
import { reportLoad } from "../load/report-load.js";
import { report } from "../measure.js";

/**
 * Load for an existing installation, through its edge: accounts that register, connect and write, the times that they
 * see, and their deletion, also when the run is interrupted or fails.
 */
const load: Bench = async (args) => {
  const options = parse(args);
  if (options === null) return;
  if ("cleanup" in options) {
    await deleteAll(await Accounts.resume(options.cleanup));
    return;
  }
  const interruption = new AbortController();
  const interrupt = () => {
    if (interruption.signal.aborted) process.exit(130);
    report("Interrupted; what was made is deleted. Once more leaves it.");
    process.exitCode = 130;
    interruption.abort(new Error("Interrupted"));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupt);
  const accounts = await Accounts.begin(options.url, options.users);
  report(`Accounts load_${accounts.id}_…; if this is killed: npm run bench -- load --cleanup ${accounts.fileName}`);
  try {
    const result = await measureLoad(accounts, options, interruption.signal);
    reportLoad(result, options);
    if (result.lost + result.repeated > 0) process.exitCode = 1;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
  } finally {
    await deleteAll(accounts);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
  }
};
export default load;

function parse(args: readonly string[]): ReturnType<typeof readOptions> | null {
  try {
    return readOptions(args);
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    report(`${why}\n${usage}`);
    process.exitCode = 1;
    return null;
  }
}

async function deleteAll(accounts: Accounts): Promise<void> {
  report("Deleting the servers and accounts …");
  const left = await accounts.delete();
  if (left.length === 0) return report("Deleted.");
  for (const line of left) report(line);
  report(`Not all are deleted: npm run bench -- load --cleanup ${accounts.fileName}`);
  process.exitCode = 1;
}
