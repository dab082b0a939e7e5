import { createSocket } from "node:dgram";
import { once } from "node:events";
import { Counter, Histogram } from "prom-client";
import { startMonitor } from "../start-monitor.js";
import { readAnswer } from "./answer.js";
import { edgeStatusConfigSchema } from "./config.js";

// Counts the answers of the edges that share its network namespace: nginx has no metric of statuses, and no service
// counts an answer that nginx itself gave.

await startMonitor("edge-status", edgeStatusConfigSchema, async ({ config, registry, onStop }) => {
  const registers = [registry];
  const answers = new Counter({
    name: "edge_answers_total",
    help: "Answers of the edge, by status and by who answered: a service, or nginx itself",
    labelNames: ["status", "by"],
    registers,
  });
  const seconds = new Histogram({
    name: "edge_answer_seconds",
    help: "From the first byte of a request to the last of its answer, without WebSockets",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const socket = createSocket("udp4");
  socket.on("message", (message) => {
    const answer = readAnswer(message.toString("latin1"));
    if (answer === null) return;
    answers.inc({ status: answer.status, by: answer.by });
    // For a WebSocket, the seconds are how long it lived.
    if (answer.status !== "101") seconds.observe(answer.seconds);
  });
  socket.bind(config.EDGE_STATUS_PORT, "127.0.0.1");
  await once(socket, "listening");
  onStop("lines", () => socket.close());
});
