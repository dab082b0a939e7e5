import type { ServerProcess } from "@parley/local-stack";
import { waitUntil } from "@parley/testing";
import { WebSocket } from "ws";

const inspectorLine = /^Debugger listening on (ws:\S+)$/;

/** Lets a service collect its garbage, through the inspector that every Node.js process opens at SIGUSR1. */
export async function collectGarbage(service: Pick<ServerProcess, "pid" | "lastLines">): Promise<void> {
  const inspectorUrl = () => service.lastLines().flatMap((line) => inspectorLine.exec(line)?.[1] ?? [])[0];
  if (inspectorUrl() === undefined) process.kill(service.pid(), "SIGUSR1");
  await waitUntil(() => inspectorUrl() !== undefined, { what: "the inspector" });
  const inspector = new WebSocket(inspectorUrl() ?? "");
  await new Promise<void>((resolve, reject) => {
    inspector.once("error", reject);
    inspector.once("open", () => inspector.send(JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" })));
    inspector.once("message", () => resolve());
  });
  inspector.terminate();
}
