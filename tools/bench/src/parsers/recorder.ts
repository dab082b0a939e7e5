import { createServer } from "node:net";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** Folder of the sockets; set by the benchmark for the processes that it starts. */
const folder = process.env.PARLEY_BENCH_RECORDER;

/** The timer of the histogram fires once in a millisecond, so it has fired after the longest delay before the answer. */
const settleMs = 5;

// Loaded into a service before its own code (`--import`). It answers each connection with the longest block of the
// event loop in milliseconds since the one before, and begins a new measurement.
if (folder !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    setTimeout(() => {
      socket.end(String(delays.max / 1e6));
      delays.reset();
    }, settleMs);
  });
  server.listen(join(folder, `${process.pid}.sock`)).unref();
}
