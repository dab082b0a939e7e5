import type { ParleyClient } from "@parley/client";

/** Asks for a challenge and solves it beside the page. A server that refuses the empty answer says why. */
export async function proveWork(client: ParleyClient): Promise<string> {
  const challenge = await client.auth.challenge();
  const worker = new Worker(new URL("./solver-worker.ts", import.meta.url), { type: "module" });
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<string | null>) => resolve(data ?? "");
      worker.onerror = () => resolve("");
      worker.postMessage(challenge);
    });
  } finally {
    worker.terminate();
  }
}
