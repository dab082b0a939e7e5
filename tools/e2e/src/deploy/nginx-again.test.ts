import { createServer, type Server } from "node:http";
import { errorBody } from "@parley/contracts";
import { findFreePort } from "@parley/local-stack";
import { waitUntil } from "@parley/testing";
import { afterEach, describe, expect, test } from "vitest";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { type NginxEdge, startNginx } from "./nginx-edge.js";

const program = await provideProgram(nginxProgram);

describe.skipIf(program === null)("a request that nginx could give to no api", () => {
  let nginx: NginxEdge | undefined;
  let dying: Server | undefined;
  afterEach(async () => {
    await nginx?.stop();
    dying?.close();
  });

  /** The answer to a request, and the addresses that nginx tried for it: attempts by comma, a new start by colon. */
  async function ask(api: string, method: string, path: string) {
    nginx = await startNginx({ program: program ?? "", apis: [api], gateways: [api] });
    const answer = await fetch(`${nginx.url}${path}`, { method, body: method === "POST" ? "{}" : null });
    const line = await waitUntil(async () =>
      (await nginx?.accessLog())?.split("\n").find((entry) => entry.includes(`"path":"${path}"`)),
    );
    const [, tried] = /"upstream":"([^"]*)"/.exec(line) ?? [];
    return { status: answer.status, body: await answer.json(), tried };
  }

  const failed = { status: 502, body: errorBody("Bad gateway") };

  test.each(["GET", "POST", "DELETE"])("starts again when nothing of it was sent: %s", async (method) => {
    const nobody = `127.0.0.1:${await findFreePort()}`;
    const answer = await ask(`http://${nobody}`, method, "/servers");
    expect(answer).toEqual({ ...failed, tried: `${nobody} : ${nobody}` });
  });

  test.each([
    ["POST", "/messages/1/attachments"],
    ["POST", "/api/servers/1/emojis"],
    ["POST", "/users/@me/avatar"],
    ["GET", "/ws"],
    ["GET", "/api/ws"],
  ])("a request does not start again as an upload or a WebSocket: %s %s", async (method, path) => {
    const nobody = `127.0.0.1:${await findFreePort()}`;
    expect(await ask(`http://${nobody}`, method, path)).toEqual({ ...failed, tried: nobody });
  });

  test.each(["GET", "POST"])("a request does not start again when an api has seen it: %s", async (method) => {
    let seen = 0;
    const port = await findFreePort();
    dying = createServer((request) => {
      // The edge's own before it takes requests is for /health/live.
      if (request.url === "/servers") seen += 1;
      request.socket.destroy();
    }).listen(port, "127.0.0.1");
    const answer = await ask(`http://127.0.0.1:${port}`, method, "/servers");
    expect([answer, seen]).toEqual([{ ...failed, tried: `127.0.0.1:${port}` }, 1]);
  });
});
