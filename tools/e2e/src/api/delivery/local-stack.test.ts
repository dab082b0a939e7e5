import { connectGateway, createClient } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { useLocalStack } from "./local-stack-stage.js";

// Several whole starts a test, on machines that have other things to do.
describe("npm start", { timeout: 300_000 }, () => {
  const { start, portsAreFree } = useLocalStack();

  test("npm start prints a table that ends with the address, serves REST and sockets there, and stops without a trace", async () => {
    const stack = await start(["--apis", "2"]);
    await stack.up();
    const table = stack.lines.filter((line) => /^ {2}\S+ +\S+:\/\/\S+$/.test(line));
    const services = ["api-1", "api-2", "gateway-1", "gateway-2", "automod-1", "webhook-dispatcher-1", "discord-1"];
    const names = table.map((line) => line.trim().split(/ +/)[0]);
    expect(names).toEqual(["PostgreSQL", "Redis", "NATS", ...services, "Parley"]);
    const user = await createClient(stack.url, { prefix: "/api" }).register();
    const gateway = connectGateway(stack.url, user.accessToken);
    expect((await gateway.ready).user.id).toBe(user.user.id);
    expect((await user.get("/metrics")).status).toBe(404);
    // More than the services' own default: browsers send about 100 requests when they open a channel.
    expect((await user.get("/servers")).headers.get("x-ratelimit-limit")).toBe("200");

    const second = await start();
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.lines).toEqual([expect.stringContaining(`already running (pid ${stack.pid}) at ${stack.url}`)]);
    await gateway.heartbeat();

    expect(await stack.stop("SIGINT")).toEqual({ code: 0, signal: null });
    expect((await gateway.closed).code).toBe(1001);
    expect(await portsAreFree()).toBe(true);
  });
});
