import { join } from "node:path";
import { findFreePort, type OwnedProcess, startProcess } from "@parley/local-stack";
import {
  createClient,
  createServerWithMembers,
  keepOutput,
  listMessages,
  runContext,
  type ServerFixture,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { sampleOf } from "../../metric-samples.js";

// The probe of an installation: the test kills the processes that the probe's message goes through.

const mortal = useMortalStack();
let probe: { url: string };
let running: OwnedProcess;
const output = keepOutput();
let fixture: ServerFixture;

beforeAll(async () => {
  const { stack } = mortal;
  fixture = await createServerWithMembers(createClient(stack.edgeUrl), 0);
  const { owner, server, channel } = fixture;
  const Made = z.object({ bot: z.object({ id: z.string() }), token: z.string() });
  const { bot, token } = (await owner.post("/bots", { name: "Probe" })).expect(201, Made);
  (await owner.post(`/servers/${server.id}/bots`, { bot_id: bot.id, permissions: 3 })).expect(201, z.unknown());
  const port = await findFreePort();
  probe = { url: `http://127.0.0.1:${port}` };
  running = await startProcess({
    name: "probe",
    onLine: output.lineOf("probe"),
    command: process.execPath,
    args: [join(runContext().root, "services", "monitors", "dist", "probe", "main.js")],
    env: {
      PATH: process.env.PATH,
      METRICS_PORT: String(port),
      PROBE_URL: stack.edgeUrl,
      PROBE_TOKEN: token,
      PROBE_CHANNEL_ID: channel.id,
      PROBE_INTERVAL_MS: "200",
      PROBE_TIMEOUT_MS: "5000",
    },
  });
  await waitUntil(() =>
    fetch(`${probe.url}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
});
afterAll(async () => {
  await running?.stop();
  output.discard();
});

const succeeds = () => waitUntil(async () => (await sampleOf(probe, "parley_probe_success")) === 1);

test("the probe measures from the post to the socket, and leaves no message behind", async () => {
  await succeeds();
  await waitUntil(async () => ((await sampleOf(probe, "parley_probe_seconds_count")) ?? 0) >= 2);
  expect(await sampleOf(probe, "parley_probe_seconds_sum")).toBeGreaterThan(0);
  const { owner, channel } = fixture;
  await waitUntil(async () => (await listMessages(owner, channel.id)).length === 0);
});
