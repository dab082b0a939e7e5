import { join } from "node:path";
import { findFreePort, type OwnedProcess, startProcess } from "@parley/local-stack";
import {
  createClient,
  createServerWithMembers,
  keepOutput,
  runContext,
  type ServerFixture,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, test } from "vitest";
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
const failures = async (stage: string) => (await sampleOf(probe, `parley_probe_failures_total{stage="${stage}"}`)) ?? 0;
/** Waits until one more probe than now has failed at this stage. */
async function failsAt(stage: string, cause: () => Promise<unknown>) {
  const before = await failures(stage);
  await cause();
  await waitUntil(async () => (await failures(stage)) > before);
  await waitUntil(async () => (await sampleOf(probe, "parley_probe_success")) === 0);
}

test("the probe says at which stage it fails, and succeeds again afterwards", async () => {
  const { apis, gateways, nats } = mortal.stack;
  await failsAt("socket", () => nats.kill());
  await nats.restart();
  await succeeds();
  await failsAt("connect", () => Promise.all(gateways.map((gateway) => gateway.kill())));
  await Promise.all(gateways.map((gateway) => gateway.restart()));
  await succeeds();
  await failsAt("post", () => Promise.all(apis.map((api) => api.kill())));
  await Promise.all(apis.map((api) => api.restart()));
  await succeeds();
});
