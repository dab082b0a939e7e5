import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { waitUntil } from "./wait-until.js";

/** A port of 127.0.0.1 whose server takes no connection; `end` closes it. */
export interface SilentServer {
  readonly port: number;
  readonly end: () => Promise<void>;
}

/**
 * Listens and takes no connection, as an address behind which nobody is any more: further ones get no answer at all.
 *
 * @throws where the kernel is not Linux, whose table of connections it reads
 */
export async function startSilentServer(): Promise<SilentServer> {
  const program =
    'const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => process.send(server.address().port))';
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const [port] = await once(child, "message");
  child.kill("SIGSTOP");
  // The kernel takes as many as the queue has places, at once, and answers no more after that: the next one stays SYN_SENT (02).
  const unanswered = ` 0100007F:${port.toString(16).toUpperCase().padStart(4, "0")} 02 `;
  const sockets: Socket[] = [];
  const isFull = async () => {
    sockets.push(connect(port, "127.0.0.1").on("error", () => undefined));
    await turn();
    return (await readFile("/proc/net/tcp", "utf8")).includes(unanswered);
  };
  await waitUntil(isFull, { what: "a connection without an answer" });
  return {
    port,
    end: async () => {
      for (const socket of sockets) socket.destroy();
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
