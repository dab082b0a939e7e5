import "@parley/service-runtime/early-stop";

// `node dist/importer-main.js <id of an import> <lease>`, which an api starts for each import.
const { runImporterProcess } = await import("./run-importer-process.js");
await runImporterProcess(process.argv.slice(2));
