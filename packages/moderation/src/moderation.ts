import { createEvent, notFound, type Timeout } from "@parley/contracts";
import type { Outbox } from "@parley/outbox";
import type { Voice } from "@parley/voice";
import { banUser, kickMember, type Membership, type Removal, unbanUser } from "./removal.js";
import { type NewTimeout, removeTimeout, storeTimeout } from "./timeouts.js";
import { createEndingVoice, type ModerationLogger } from "./voice-end.js";

/**
 * Moderation by hand (contract.md 10.1, 10.2): each action is one transaction with its events. Who may do it to whom is
 * decided before.
 */
export interface Moderation {
  /** @throws ServiceError 404 when the user is no member (any more) */
  kick(removal: Removal): Promise<void>;
  /** @throws ServiceError 404 when the account does not exist */
  ban(ban: Removal & { bannedBy: string }): Promise<void>;
  /** Succeeds and is announced also without a ban. */
  unban(ban: Membership): Promise<void>;
  timeout(timeout: Omit<NewTimeout, "automatic">): Promise<Timeout>;
  /** Succeeds and is announced also without a timeout. */
  removeTimeout(timeout: Membership): Promise<void>;
}

/** Moderation in one process; any number of processes may act at once. */
export function createModeration(options: { outbox: Outbox; voice: Voice; logger: ModerationLogger }): Moderation {
  const { outbox } = options;
  const endingVoice = createEndingVoice(options);
  return {
    kick(removal) {
      return endingVoice(removal, () =>
        outbox.transaction(async (transaction, emit) => {
          if (!(await kickMember(transaction, emit, removal))) throw notFound("Server not found");
        }),
      );
    },
    ban(ban) {
      return endingVoice(ban, () => outbox.transaction((transaction, emit) => banUser(transaction, emit, ban)));
    },
    unban(ban) {
      return outbox.transaction((transaction, emit) => unbanUser(transaction, emit, ban));
    },
    timeout(timeout) {
      return outbox.transaction(async (transaction, emit) => {
        const stored = await storeTimeout(transaction, { ...timeout, automatic: false });
        const { server_id, user_id, expires_at, reason } = stored;
        emit(createEvent("MEMBER_TIMEOUT", { server_id }, { server_id, user_id, expires_at, reason }));
        return stored;
      });
    },
    removeTimeout(timeout) {
      return outbox.transaction((transaction, emit) => removeTimeout(transaction, emit, timeout));
    },
  };
}
