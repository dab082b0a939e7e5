import "@parley/service-runtime/early-stop";
import { setPriority } from "node:os";

// `node dist/importer-main.js <id of an import> <lease>`, which an api starts for each import.
/** As of `nice`: on a busy processor it gets a tenth of the time of a process without one. */
const niceness = 10;

// Requests come first.
setPriority(niceness);
const { runImporterProcess } = await import("./run-importer-process.js");
await runImporterProcess(process.argv.slice(2));
