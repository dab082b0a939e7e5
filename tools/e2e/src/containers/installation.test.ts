import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createClient,
  createServerWithMembers,
  postMessage,
  runContext,
  type ServerFixture,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tourOf } from "../api/readme-tour.js";
import {
  readHistory,
  type StayingClient,
  startWriters,
  stayConnected,
  type Writers,
} from "../deploy/rolling-traffic.js";
import { attachFile } from "./attach-file.js";
import { createInstallation, type Installation } from "./installation.js";
import { runbookLooks } from "./runbook.js";

// docker-compose.yml on a real engine, in the order of an installation's life. Every test continues the one before it.

/** An event that was answered this long before a connection ended has arrived on it. */
const settledMs = 1_000;
const minuteMs = 60_000;

let installation: Installation;
let fixture: ServerFixture;
let clients: StayingClient[];
let writers: Writers;

beforeAll(async () => {
  installation = await createInstallation();
});
afterAll(() => installation?.remove(), 5 * minuteMs);

test(
  "docker compose build makes every image",
  async () => {
    await installation.compose(["build"]);
    const images = await installation.docker(["image", "ls", "--format", "{{.Repository}}"]);
    for (const name of ["api", "gateway", "automod", "webhook-dispatcher", "discord", "migrate", "edge"]) {
      expect(images.split("\n")).toContain(`parley-test/${name}`);
    }
  },
  45 * minuteMs,
);

test(
  "docker compose up --wait starts two apis, two gateways and one of everything else, all healthy",
  async () => {
    await up();
    expect(await running()).toEqual([
      ...["api", "api", "automod", "discord", "edge", "edge-port", "gateway", "gateway"],
      ...["nats", "postgres", "redis", "webhook-dispatcher"],
    ]);
  },
  10 * minuteMs,
);

test(
  "edge, gateways and apis have the queue of waiting connections that they ask for",
  async () => {
    for (const service of ["edge", "gateway", "api"]) {
      const text = await installation.compose(["exec", "-T", service, "cat", "/proc/sys/net/core/somaxconn"]);
      expect([service, text.trim()]).toEqual([service, "16384"]);
    }
  },
  minuteMs,
);

test(
  "the tour of the README works against the edge",
  async () => {
    const tour = tourOf(await readFile(join(runContext().root, "README.md"), "utf8"), installation.url);
    expect(await installation.shell(tour)).toContain("hello, Bob");
  },
  2 * minuteMs,
);

test(
  "the edge has the web application, compressed and with its headers",
  async () => {
    const root = await fetch(installation.url);
    expect([root.status, root.url]).toEqual([200, `${installation.url}/app/`]);
    expect(root.headers.get("content-security-policy")).toContain("script-src 'self'");
    const [, script = ""] = /<script[^>]* src="([^"]+)"/.exec(await root.text()) ?? [];
    const asset = await fetch(new URL(script, installation.url), { headers: { "accept-encoding": "gzip" } });
    expect([asset.status, asset.headers.get("content-encoding")]).toEqual([200, "gzip"]);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  },
  minuteMs,
);

test(
  "people write and read",
  async () => {
    fixture = await createServerWithMembers(createClient(installation.url), 5);
    clients = fixture.members.map((member) => stayConnected(installation.url, member));
    writers = startWriters([fixture.owner, ...fixture.members], fixture.channel.id);
    await traffic();
  },
  minuteMs,
);

test(
  "the images have what the commands of the runbook need that look into containers",
  async () => {
    const looks = await runbookLooks();
    expect(looks.length).toBeGreaterThanOrEqual(6);
    for (const look of looks)
      expect([look, await installation.shell(look)]).toEqual([look, expect.stringMatching(/\S/)]);
  },
  2 * minuteMs,
);

test.each(["gateway", "api", "nats", "redis", "postgres", "automod"])(
  "a killed %s costs nothing that was answered",
  async (service) => {
    // Three checks that meet an outage each make a container unhealthy, and checks are as far apart as these tests.
    await installation.untilHealthy();
    const failedBefore = writers.failures.length;
    const [victim] = await installation.containers({ service });
    expect(victim).toBeDefined();
    await installation.docker(["kill", "--signal", "KILL", victim?.ID ?? ""]);
    if (service === "gateway" || service === "api") await traffic();
    await installation.docker(["start", victim?.ID ?? ""]);
    await up();
    await traffic();
    report(`${service} killed`, failedBefore);
  },
  3 * minuteMs,
);

test(
  "more apis and gateways take part, and fewer are enough again",
  async () => {
    const failedBefore = writers.failures.length;
    await up({ API_SCALE: "3", GATEWAY_SCALE: "3" });
    expect(await installation.containers({ service: "api" })).toHaveLength(3);
    await traffic();
    expect(writers.failures.slice(failedBefore)).toEqual([]);
    await up();
    expect(await installation.containers({ service: "gateway" })).toHaveLength(2);
    await traffic();
    report("scaled up and down", failedBefore);
    expect(writers.failures.slice(failedBefore)).toEqual([]);
  },
  5 * minuteMs,
);

test(
  "everything stops by itself in its time, although people are connected and write",
  async () => {
    const failedBefore = writers.failures.length;
    await installation.compose(["stop"]);
    const ended = (await installation.containers({ all: true })).map(({ Service, ExitCode }) => [Service, ExitCode]);
    expect(ended).toHaveLength(12);
    expect(ended.filter(([, code]) => code !== 0)).toEqual([]);
    await up();
    await traffic();
    report("stopped and started", failedBefore);
  },
  5 * minuteMs,
);

test(
  "what was answered is in history, and was received by everybody who was connected",
  async () => {
    await writers.stop();
    const history = await readHistory(fixture);
    expect(writers.sent.filter(({ id }) => !history.includes(id))).toEqual([]);
    expect(new Set(history).size).toBe(history.length);
    // One more message after all others: a client that has it has all earlier ones.
    await waitUntil(() => clients.every((client) => client.connected()), { timeoutMs: minuteMs });
    const end = await postMessage(fixture.owner, fixture.channel.id, "the end");
    await waitUntil(() => clients.every((client) => client.has(end.id)), {
      timeoutMs: minuteMs,
      what: "the last message",
    });
    await Promise.all(clients.map((client) => client.stop()));

    let due = 0;
    const missed: string[] = [];
    for (const { user, visits } of clients) {
      for (const visit of visits) {
        for (const { id, sentAtMs, answeredAtMs } of writers.sent) {
          if (sentAtMs < visit.readyAtMs || answeredAtMs > visit.closedAtMs - settledMs) continue;
          due += 1;
          if (!visit.received.has(id)) missed.push(`${id} by ${user.username}`);
        }
      }
    }
    process.stdout.write(
      `containers: ${writers.sent.length} acknowledged, ${history.length} in history, ${due - missed.length} of ${due} received, ${writers.failures.length} requests failed\n`,
    );
    expect(missed).toEqual([]);
  },
  3 * minuteMs,
);

test(
  "down and up again: people, history and sessions are still there",
  async () => {
    const history = await readHistory(fixture);
    await installation.compose(["down"]);
    await up();
    expect(await readHistory(fixture)).toEqual(history);
    const { owner } = fixture;
    const renewed = await owner.post("/auth/refresh", { refresh_token: owner.refreshToken });
    expect(renewed.status).toBe(200);
  },
  5 * minuteMs,
);

test(
  "a backup is restored into an empty installation, and in place of what was written since",
  async () => {
    const [member] = fixture.members;
    const file = await attachFile(installation.url, fixture, Buffer.from("kept"));
    const history = await readHistory(fixture);
    const backup = join(await mkdtemp(join(runContext().folder, "backup-")), "first");
    await installation.operate(["backup", backup]);
    for (const lose of [
      () => installation.compose(["down", "--volumes"]),
      () => postMessage(fixture.owner, fixture.channel.id, "after the backup"),
    ]) {
      await lose();
      await installation.operate(["restore", backup, "--yes"]);
      expect(await readHistory(fixture)).toEqual(history);
    }
    const login = { username: member?.username, password: member?.password };
    expect((await createClient(installation.url).post("/auth/login", login)).status).toBe(200);
    const download = await fetch(new URL(file, installation.url));
    expect([download.status, await download.text()]).toEqual([200, "kept"]);
  },
  10 * minuteMs,
);

async function up(settings: Record<string, string> = {}): Promise<void> {
  await installation.compose(["up", "--detach", "--wait", "--wait-timeout", "240"], settings);
}

async function running(): Promise<string[]> {
  const containers = await installation.containers();
  for (const { Service, Health } of containers) expect([Service, Health]).toEqual([Service, "healthy"]);
  return containers.map(({ Service }) => Service).toSorted();
}

/** Waits until everybody is connected and fifty more messages are answered. */
async function traffic(): Promise<void> {
  const until = writers.sent.length + 50;
  await waitUntil(() => writers.sent.length >= until, { timeoutMs: minuteMs, what: "messages to be answered" });
  await waitUntil(() => clients.every((client) => client.connected()), {
    timeoutMs: minuteMs,
    what: "everybody to be connected",
  });
}

function report(what: string, failedBefore: number): void {
  const failed = writers.failures.slice(failedBefore);
  const kinds = new Set(failed.map((failure) => failure.slice(0, 120)));
  process.stdout.write(
    `containers: ${what}: ${failed.length} of the requests failed ${[...kinds].slice(0, 3).join("; ")}\n`,
  );
}
