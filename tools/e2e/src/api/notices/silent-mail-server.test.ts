import { randomUUID } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { createClient, useMortalStack, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";

const mortal = useMortalStack();

test("a mail server that never answers holds no request", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const address = silent.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const { url } = await mortal.stack.startApi({ env: { SMTP_URL: `smtp://127.0.0.1:${address.port}` } });
  const api = createClient(url);
  const email = `${randomUUID()}@example.com`;
  await api.register({ email });
  await waitUntil(() => sockets.size > 0, { what: "a connection to the silent server" });
  expect((await api.post("/auth/request-password-reset", { email })).status).toBe(202);
  expect([...sockets].some(({ destroyed, readableEnded }) => !destroyed && !readableEnded)).toBe(true);
});
