import { createEvent } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import { appendAudit } from "../../access/audit-log/repository.js";
import { insertRaid, setRaid, stopRaid, takeEnd, takeExtension } from "./repository.js";

// A server is under raid until `raid_until`, whatever has been announced (docs/protocol/moderation.md#24.7).
// `raid_announced_until` is the announced end: null when there is nothing to end, another time than `raid_until` when
// refused joins have made the raid longer. The transaction that changes it emits the event, so each event is emitted
// once, whichever process runs it.

/** Begins a raid in the transaction of the join that is one too many. */
export async function beginRaid(transaction: Transaction, emit: Emit, serverId: string): Promise<void> {
  await announceEnd(transaction, emit, { serverId, actorId: null });
  const until = await insertRaid(transaction, serverId);
  if (until === undefined) return;
  emitRaid(emit, "SERVER_RAID_START", serverId, until);
  await auditStart(transaction, { serverId, actorId: null }, until);
}

/** Begins a raid by hand, or has the one that is under way last for another time from now. */
export async function setRaidByHand(
  transaction: Transaction,
  emit: Emit,
  { serverId, actorId, minutes }: { serverId: string; actorId: string; minutes: number },
): Promise<Date> {
  await announceEnd(transaction, emit, { serverId, actorId: null });
  const until = await setRaid(transaction, serverId, minutes);
  if (until === undefined) throw new Error("A raid was not stored");
  emitRaid(emit, "SERVER_RAID_START", serverId, until);
  await auditStart(transaction, { serverId, actorId }, until);
  return until;
}

/** Ends the raid that is under way, if there is one. */
export async function endRaidByHand(
  transaction: Transaction,
  emit: Emit,
  ended: { serverId: string; actorId: string },
): Promise<void> {
  await announceEnd(transaction, emit, { ...ended, actorId: null });
  await stopRaid(transaction, ended.serverId);
  await announceEnd(transaction, emit, ended);
}

/** Announces changes of a raid that nobody made: its end by time, or its extension. */
export async function announceChange(transaction: Transaction, emit: Emit, serverId: string): Promise<void> {
  await announceEnd(transaction, emit, { serverId, actorId: null });
  const until = await takeExtension(transaction, serverId);
  if (until !== undefined) emitRaid(emit, "SERVER_RAID_START", serverId, until);
}

async function announceEnd(
  transaction: Transaction,
  emit: Emit,
  { serverId, actorId }: { serverId: string; actorId: string | null },
): Promise<void> {
  const until = await takeEnd(transaction, serverId);
  if (until === undefined) return;
  emitRaid(emit, "SERVER_RAID_END", serverId, until);
  await appendAudit(transaction, { serverId, actorId, action: "raid_end", targetId: serverId, details: {} });
}

async function auditStart(
  transaction: Transaction,
  { serverId, actorId }: { serverId: string; actorId: string | null },
  until: Date,
): Promise<void> {
  const details = { until: until.toISOString() };
  await appendAudit(transaction, { serverId, actorId, action: "raid_start", targetId: serverId, details });
}

function emitRaid(emit: Emit, name: "SERVER_RAID_START" | "SERVER_RAID_END", serverId: string, until: Date): void {
  const payload = { server_id: serverId, until: until.toISOString() };
  emit(createEvent(name, { server_id: serverId }, payload, { readers: "manage_raids" }));
}
