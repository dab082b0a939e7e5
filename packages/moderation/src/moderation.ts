import { createEvent, errorTexts, notFound, type Timeout } from "@parley/contracts";
import type { Transaction } from "@parley/database";
import type { Emit, Outbox } from "@parley/outbox";
import type { MinimalLogger } from "@parley/service-runtime";
import type { Voice } from "@parley/voice";
import type { Membership } from "./membership.js";
import { banUser, kickMember, type NewBan, type Removal, unbanUser } from "./removal.js";
import { type NewTimeout, removeTimeout, storeTimeout } from "./timeouts.js";
import { createVoiceCleanup } from "./voice-cleanup.js";

/** Work of the caller in the action's transaction, after the action: the entry of the audit log. */
export type ExtraWork<OfTransaction extends Transaction = Transaction> = (
  transaction: OfTransaction,
  emit: Emit,
) => Promise<void>;

/**
 * Moderation by hand (docs/protocol/moderation.md#10.1, docs/protocol/moderation.md#10.2): each action is one transaction with its events.
 * Permissions are checked by the caller.
 */
export interface Moderation<OfTransaction extends Transaction = Transaction> {
  /** @throws ServiceError 404 when the user is no member (any more) */
  kick(removal: Removal, extraWork?: ExtraWork<OfTransaction>): Promise<void>;
  /** @throws ServiceError 404 when the account does not exist */
  ban(ban: NewBan, extraWork?: ExtraWork<OfTransaction>): Promise<void>;
  /** Succeeds and is announced also without a ban. */
  unban(ban: Membership, extraWork?: ExtraWork<OfTransaction>): Promise<void>;
  timeout(timeout: Omit<NewTimeout, "automatic">, extraWork?: ExtraWork<OfTransaction>): Promise<Timeout>;
  /** Succeeds and is announced also without a timeout. */
  removeTimeout(timeout: Membership, extraWork?: ExtraWork<OfTransaction>): Promise<void>;
}

const nothing: ExtraWork = async () => undefined;

/** Moderation in one process; any number of processes may act at once. */
export function createModeration<OfTransaction extends Transaction>(options: {
  outbox: Outbox<OfTransaction>;
  voice: Voice;
  logger: MinimalLogger;
}): Moderation<OfTransaction> {
  const { outbox } = options;
  const withVoiceCleanup = createVoiceCleanup(options);
  return {
    kick(removal, extraWork = nothing) {
      return withVoiceCleanup(removal, () =>
        outbox.transaction([orderOf(removal)], async (transaction, emit) => {
          if (!(await kickMember(transaction, emit, removal))) throw notFound(errorTexts.server_not_found);
          await extraWork(transaction, emit);
        }),
      );
    },
    ban(ban, extraWork = nothing) {
      return withVoiceCleanup(ban, () =>
        outbox.transaction([orderOf(ban)], async (transaction, emit) => {
          await banUser(transaction, emit, ban);
          await extraWork(transaction, emit);
        }),
      );
    },
    unban(ban, extraWork = nothing) {
      return outbox.transaction([orderOf(ban)], async (transaction, emit) => {
        await unbanUser(transaction, emit, ban);
        await extraWork(transaction, emit);
      });
    },
    timeout(timeout, extraWork = nothing) {
      return outbox.transaction([orderOf(timeout)], async (transaction, emit) => {
        const stored = await storeTimeout(transaction, { ...timeout, automatic: false });
        const { server_id, user_id, expires_at, reason } = stored;
        emit(createEvent("MEMBER_TIMEOUT", { server_id }, { server_id, user_id, expires_at, reason }));
        await extraWork(transaction, emit);
        return stored;
      });
    },
    removeTimeout(timeout, extraWork = nothing) {
      return outbox.transaction([orderOf(timeout)], async (transaction, emit) => {
        await removeTimeout(transaction, emit, timeout);
        await extraWork(transaction, emit);
      });
    },
  };
}

const orderOf = ({ serverId }: Membership) => ({ server_id: serverId });
