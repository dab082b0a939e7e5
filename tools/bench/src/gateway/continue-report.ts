import { availableParallelism } from "node:os";
import type { Continued } from "../clients/numbered-readers.js";
import { percentile, report } from "../measure.js";
import type { ContinueRun } from "./continue.js";
import type { ConnectionMemory } from "./memory.js";
import type { GatewaySizes } from "./sizes.js";

const kilobyte = 1_024;

export function reportContinue(run: ContinueRun, { continue: size }: GatewaySizes): void {
  const { continued, eachMs, received, memory } = run;
  const { community, watchers, perSecond } = size;
  report(
    `continue: ${community.users - watchers} numbered connections with ${community.serversPerUser} servers each, their gateway killed under ${perSecond} messages/s`,
  );
  const { RESUMED = 0, ...others } = continued.answers;
  const reasons = Object.entries(others).map(([reason, times]) => `, ${times} READY (${reason})`);
  const seconds = (share: number) => (percentile(continued.answeredMs, share) / 1_000).toFixed(2);
  report(
    `  continued  all after ${seconds(1)} s from the first reconnect  (goal: 5), half of them after ${seconds(0.5)} s; ${RESUMED} RESUMED${reasons.length === 0 ? ", 0 READY" : reasons.join("")}, ${continued.cut} cut and tried again, ${continued.failed} failed`,
  );
  report(
    `  cost each  database ${eachMs.database.toFixed(3)} ms  (goal: 0.5; every statement of that time), ${eachMs.cpu.toFixed(2)} ms of the gateway's processor`,
  );
  reportFloors(run);
  const [before, meanwhile] = [run.calmMs, run.meanwhileMs];
  const delay = (delays: Float64Array) =>
    `p50 ${percentile(delays, 0.5).toFixed(1)} ms p99 ${percentile(delays, 0.99).toFixed(1)} ms`;
  report(
    `  meanwhile  events to ${watchers} clients of the other gateway: ${delay(meanwhile)}, before ${delay(before)}, ratio of p99 ${(percentile(meanwhile, 0.99) / percentile(before, 0.99)).toFixed(1)}  (goal: 2, or 15 ms; ${meanwhile.length} and ${before.length} deliveries)`,
  );
  report(
    `  events     ${received.expected} expected, ${received.lost} lost, ${received.repeated} repeated, ${received.unordered} out of order, ${received.foreign} of servers of others  (goal: 0 each); ${received.skipped} not sent to those who got READY`,
  );
  reportMemory(memory, size.memory.sockets);
}

/** What the machine's processors did, and what the same clients get from a server that only writes. */
function reportFloors({ continued, eachMs, eventsEach, floors, processors }: ContinueRun): void {
  const seconds = ({ answeredMs }: Continued) => percentile(answeredMs, 1) / 1_000;
  const { gateway, clients, servers } = processors;
  report(
    `  processors gateway ${gateway.toFixed(1)} s, its clients ${clients.toFixed(1)} s, PostgreSQL, Redis and NATS ${servers.toFixed(1)} s, of ${availableParallelism()} times ${seconds(continued).toFixed(1)} s`,
  );
  for (const floor of floors) {
    const writes = floor.writes === "one" ? "in one write" : "in a write each";
    report(
      `  floor      bare ws, the same clients, ${Math.round(eventsEach)} events to each ${writes}: ${seconds(floor.continued).toFixed(2)} s and ${floor.cpuEachMs.toFixed(2)} ms of its processor; the gateway takes ${(seconds(continued) / seconds(floor.continued)).toFixed(1)} and ${(eachMs.cpu / floor.cpuEachMs).toFixed(1)} times as much`,
    );
  }
}

function reportMemory({ unnumbered, numbered }: ContinueRun["memory"], sockets: number): void {
  const inKilobytes = (bytes: number) => (bytes / kilobyte).toFixed(2);
  const compared = (key: keyof ConnectionMemory) =>
    `${inKilobytes(numbered[key])} KB numbered, ${inKilobytes(unnumbered[key])} KB without, ${inKilobytes(numbered[key] - unnumbered[key])} KB more`;
  report(
    `  memory     each of ${sockets} that wait, garbage collected: in use ${compared("used")}  (goal: 1); RSS ${compared("resident")}`,
  );
}
