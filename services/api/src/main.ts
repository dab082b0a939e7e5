import "@parley/service-runtime/early-stop";

await import("./run.js");
