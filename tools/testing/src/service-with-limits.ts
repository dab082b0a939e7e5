import { pathToFileURL } from "node:url";

// Runs a service with limits of a test: `node service-with-limits.js <its run.js> <limits as JSON>`. They are arguments, as
// an operator has no setting for them.
const [, , file = "", limits = "{}"] = process.argv;
const { run } = await import(pathToFileURL(file).href);
await run(JSON.parse(limits));
