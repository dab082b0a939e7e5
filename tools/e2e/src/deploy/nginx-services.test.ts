import { Attachment, errorBody } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createServer,
  postMessage,
  startStack,
  type TestStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openDiscord, ops } from "../api/discord/discord-socket.js";
import { nginxProgram, provideProgram } from "./debian-program.js";
import { jsonType, type NginxEdge, startNginx } from "./nginx-edge.js";

const program = await provideProgram(nginxProgram);

describe.skipIf(program === null)("nginx in front of the services", () => {
  let stack: TestStack;
  let nginx: NginxEdge;

  beforeAll(async () => {
    // Its own: tests stop one of its apis behind nginx.
    stack = await startStack({ apis: 2, gateways: 2, discords: 1 });
    const urls = (services: TestStack["apis"]) => services.map(({ url }) => url);
    nginx = await startNginx({
      program: program ?? "",
      apis: urls(stack.apis),
      gateways: urls(stack.gateways),
      discords: urls(stack.discords),
    });
  });
  afterAll(async () => {
    await nginx?.stop();
    await stack?.stop();
  });

  test.each(["", "/api"] as const)("leads %s/ws to a gateway and everything else to an api", async (prefix) => {
    const user = await createClient(nginx.url, { prefix }).register();
    const connection = connectGateway(nginx.url, user.accessToken, { path: `${prefix}/ws` });
    expect((await connection.ready).user.id).toBe(user.user.id);
    await connection.close();
    const refused = connectGateway(nginx.url, "nonsense", { path: `${prefix}/ws` });
    expect(await refused.rejected).toEqual({
      status: 401,
      body: JSON.stringify(errorBody("Invalid or expired token")),
    });
    const plain = await createClient(nginx.url, { prefix }).get("/ws");
    expect(plain.status).toBe(401);
  });

  test.each(["/metrics", "/api/metrics", "/metrics/", "/metrics?x=1", "//metrics", "/%6Detrics", "/api/%6detrics"])(
    "nginx in front of the services shows %s to nobody",
    async (path) => {
      const answer = await createClient(nginx.url).get(path);
      expect([answer.status, answer.headers.get("content-type"), answer.body]).toEqual([
        404,
        jsonType,
        errorBody("Not found"),
      ]);
    },
  );

  test("passes the caller's address to the apis, whatever the caller says", async () => {
    // Its own: with the least limits, so that an address is seen to have one of its own.
    const limited = await startStack({
      apis: 1,
      gateways: 0,
      env: { RATE_LIMIT_REST_RPS: "1", RATE_LIMIT_REST_BURST: "3" },
    });
    const apis = limited.apis.map(({ url }) => url);
    const edge = await startNginx({ program: program ?? "", apis, gateways: apis });
    try {
      const client = createClient(edge.url);
      // At once, as the least limit is one request a second.
      const sent = Array.from({ length: 40 }, (_, request) => {
        const headers = { "x-forwarded-for": `203.0.113.${request}`, forwarded: `for=203.0.113.${request}` };
        return client.send("GET", "/users/@me", { headers });
      });
      expect((await Promise.all(sent)).map(({ status }) => status)).toContain(429);
    } finally {
      await edge.stop();
      await limited.stop();
    }
  });

  test("leads bots written for Discord to their service, and logs no token of theirs", async () => {
    const told = await fetch(`${nginx.url}/discord/api/v10/gateway`);
    expect(await told.json()).toEqual({ url: expect.stringMatching(/^ws:.*\/discord\/gateway\/$/) });
    const bot = openDiscord(nginx.url);
    await bot.waitForOp(ops.hello);
    await bot.close();
    await fetch(`${nginx.url}/discord/api/v10/webhooks/1/s3cret-token/messages/2`);
    await waitUntil(async () => (await nginx.accessLog()).includes("/discord/api/v10/webhooks/1/-/messages/2"));
    expect(await nginx.allLogs()).not.toContain("s3cret-token");
  });

  test("leads a connection whose position is far too long to a gateway, as the edge of npm start does", async () => {
    const user = await createClient(nginx.url).register();
    for (const url of [nginx.url, stack.edgeUrl]) {
      for (const length of [10_000, 15_000]) {
        const query = `token=${user.accessToken}&s=${"a".repeat(length)}`;
        const connection = connectGateway(url, user.accessToken, { query });
        expect([url, length, (await connection.ready).resync]).toEqual([url, length, "unknown"]);
        await connection.close();
      }
      const query = `token=${user.accessToken}&s=${"a".repeat(60_000)}`;
      expect([url, await connectGateway(url, user.accessToken, { query }).rejected]).toEqual([
        url,
        {
          status: 400,
          body: expect.stringMatching(/^\{"error":"Request (address is too long|headers are too large)"/),
        },
      ]);
    }
  });

  test("ends by itself in the time that it is given, although WebSockets are open", async () => {
    const [apis, gateways] = [stack.apis, stack.gateways].map((services) => services.map(({ url }) => url));
    const edge = await startNginx({
      program: program ?? "",
      apis: apis ?? [],
      gateways: gateways ?? [],
      drainSeconds: 1,
    });
    onTestFinished(edge.stop);
    const user = await createClient(edge.url).register();
    await connectGateway(edge.url, user.accessToken).ready;
    expect(await edge.drain()).toBe(0);
  });

  test("asks another service when one refuses connections, for every method", async () => {
    const user = await createClient(nginx.url).register();
    const [first] = stack.apis;
    await first?.stop();
    try {
      const statuses = [];
      for (let request = 0; request < 8; request += 1) {
        statuses.push((await user.post("/servers", { name: "Chess club" })).status);
        statuses.push((await user.get("/users/@me")).status);
      }
      expect(new Set(statuses)).toEqual(new Set([201, 200]));
    } finally {
      await first?.restart();
    }
  });

  test("adds nothing to a user's file that would let it run where the application is", async () => {
    const user = await createClient(nginx.url).register();
    const channel = await createChannel(user, (await createServer(user)).id);
    const { id } = await postMessage(user, channel.id, "a file");
    const upload = (name: string, type: string, text: string) => {
      const form = new FormData();
      form.append("files", new Blob([text], { type }), name);
      return user.send("POST", `/messages/${id}/attachments`, { body: form });
    };
    const script = "<script>alert(document.domain)</script>";
    const picture = await upload("a.svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`);
    const page = await upload("a.html", "text/html", `<!doctype html>${script}`);
    for (const answer of [picture, page]) {
      if (answer.status === 400) continue;
      const [{ url }] = answer.expect(201, z.tuple([Attachment]));
      const { headers } = await fetch(new URL(url, nginx.url));
      expect(headers.get("content-type")).toMatch(/^text\/plain/);
      expect(headers.get("content-disposition")).toMatch(/^attachment;/);
      expect(headers.get("content-security-policy")).toBe("sandbox");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
    const place = await fetch(`${nginx.url}/app/files/${id}`);
    expect(place.headers.get("content-security-policy")).not.toBe("sandbox");
  });

  test("logs requests without the tokens in their addresses", async () => {
    await createClient(nginx.url, { prefix: "/api" }).get("/mail/unsubscribe/secret-token");
    await createClient(nginx.url, { prefix: "/api" }).post("/hooks/one/secret-token");
    await createClient(nginx.url).get("/nowhere?token=secret-token");
    const line = await waitUntil(async () =>
      (await nginx.accessLog()).split("\n").find((candidate) => candidate.includes('"/nowhere"')),
    );
    const entry: unknown = JSON.parse(line);
    expect(entry).toMatchObject({ method: "GET", path: "/nowhere", status: 404 });
    const paths = ['"/api/mail/unsubscribe/-"', '"/api/hooks/one/-"'];
    await waitUntil(async () => {
      const lines = await nginx.accessLog();
      return paths.every((path) => lines.includes(path));
    });
    expect(await nginx.accessLog()).not.toContain("secret-token");
  });
});
