import "@parley/service-runtime/early-stop";

const { run } = await import("./run.js");
await run();
