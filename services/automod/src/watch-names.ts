import { createHash } from "node:crypto";
import { eventsStream, Member, parseSubject, subjects } from "@parley/contracts";
import { type Database, defineStatement, isUnavailable } from "@parley/database";
import { type Consumption, consume, type Messaging, redeliver, type StoredMessage } from "@parley/messaging";
import { createBatcher, type Logger } from "@parley/service-runtime";
import { z } from "zod";
import type { Judging } from "./judging.js";
import { eventAckWaitMs, eventRetryMs, eventsUnackedMax, eventsWaitingMax, lookupBatchMax } from "./limits.js";

/** Null for each server without an enabled rule about names, which are nearly all. */
const versionsStatement = defineStatement({
  name: "automod_name_rules",
  text: `SELECT s.automod_rules_version AS version FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, position)
    LEFT JOIN servers s ON s.id = asked.id AND 'name' = ANY (s.automod_rule_types)
    ORDER BY position`,
  row: z.object({ version: z.int().nullable() }),
});

const Frame = z.object({ d: z.object({ member: Member }) });

/** Judges the names of those who join a server or change their name, after the fact (docs/protocol/automod.md#24.8). */
export function watchNames(options: {
  database: Database;
  messaging: Messaging;
  judging: Pick<Judging, "judgeNames">;
  logger: Logger;
}): Consumption {
  const { database, messaging, judging, logger } = options;
  let working = 0;
  let makeRoom: () => void = () => undefined;

  const findVersion = createBatcher<string, number | null>({
    inFlightMax: 1,
    batchMax: lookupBatchMax,
    async work(serverIds) {
      return (await database.query(versionsStatement, [serverIds])).map(({ version }) => version);
    },
  });

  const judge = async (event: StoredMessage) => {
    const address = parseSubject(event.subject);
    if (address?.scope.kind !== "server") return;
    if (address.event !== "MEMBER_JOIN" && address.event !== "MEMBER_UPDATE") return;
    const { serverId } = address.scope;
    const version = await findVersion(serverId);
    if (version === null) return;
    const {
      user_id: userId,
      username,
      nickname,
    } = Frame.parse(JSON.parse(Buffer.from(event.body).toString())).d.member;
    const names = nickname === null ? [username] : [username, nickname];
    await judging.judgeNames({ eventId: judgementOf(event), serverId, userId, names, version });
  };

  const take = (event: StoredMessage) => {
    working += 1;
    judge(event)
      .then(
        () => event.ack(),
        (err: unknown) => {
          const how = { consumer: consumer.name, isOutage: isUnavailable(err), retryMs: eventRetryMs, logger };
          redeliver({ messaging, message: event, error: err, ...how });
        },
      )
      .finally(() => {
        working -= 1;
        makeRoom();
      });
  };

  const untilRoom = async () => {
    while (working >= eventsWaitingMax) {
      await new Promise<void>((resolve) => {
        makeRoom = resolve;
      });
    }
    return eventsWaitingMax - working;
  };

  const consumer = {
    stream: eventsStream,
    name: "automod-names",
    filter: subjects.storedMembers,
    ackWaitMs: eventAckWaitMs,
    unackedMax: eventsUnackedMax,
  };
  return consume({ messaging, consumer, demand: untilRoom, handler: take, logger });
}

/** The same for each delivery of an event, in every process. */
function judgementOf({ id, sequence }: StoredMessage): string {
  const hex = createHash("sha256")
    .update(`name ${id ?? sequence}`)
    .digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
