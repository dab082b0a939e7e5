import { errorTexts, isPictureAddress, notFound, type PublicProfile, type User } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { PresenceStatuses } from "@parley/presence";
import { allowedPictureUrl } from "../../platform/files/pictures/unless-set.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import type { ChangeProfile } from "./change-profile.js";
import { findProfile, getAccount } from "./repository.js";
import { toPublicProfile, toUser } from "./resource.js";
import type { UpdateUser } from "./schema.js";
import { acceptTerms, areTermsOutdated } from "./terms-repository.js";

export function createUserService(options: {
  database: Database;
  presence: PresenceStatuses;
  changeProfile: ChangeProfile;
}) {
  const { database, presence, changeProfile } = options;
  return {
    /** The caller's own account. */
    async own(userId: string): Promise<User> {
      const [account, areOutdated] = await Promise.all([
        getAccount(database, userId),
        areTermsOutdated(database, userId),
      ]);
      return { ...toUser(account), ...(areOutdated ? { terms_outdated: true as const } : {}) };
    },

    /** Accepts the terms of the installation as they are. */
    acceptTerms: (userId: string): Promise<void> => acceptTerms(database, userId),

    /** Updates the caller's account; a change of status, custom status or activity is announced to co-members. */
    async update(userId: string, changes: UpdateUser): Promise<User> {
      if (isEmptyChange(changes)) return toUser(await getAccount(database, userId));
      const { status, custom_status, status_expires_at, activity, ...profile } = changes;
      const shown = { status, custom_status, status_expires_at, activity };
      if (profile.avatar_url != null && isPictureAddress(profile.avatar_url)) {
        // Before anything is changed.
        const { avatar_url } = await getAccount(database, userId);
        allowedPictureUrl(profile.avatar_url, avatar_url, errorTexts.avatar_url_scheme);
      }
      if (!isEmptyChange(shown)) await presence.setStatus(userId, shown);
      return changeProfile(userId, async (_, before) => {
        const avatar_url = allowedPictureUrl(profile.avatar_url, before.avatar_url, errorTexts.avatar_url_scheme);
        return { ...profile, avatar_url };
      });
    },

    /**
     * Sets the picture of the caller's account.
     *
     * @param keep does further work in the same transaction
     */
    setAvatar(
      userId: string,
      avatar_url: string | null,
      keep: (transaction: Transaction) => Promise<void> = async () => undefined,
    ): Promise<User> {
      return changeProfile(userId, async (transaction) => {
        await keep(transaction);
        return { avatar_url };
      });
    },

    /** The public fields of an account. */
    async profile(userId: string): Promise<PublicProfile> {
      const account = await findProfile(database, userId);
      if (account === null) throw notFound(errorTexts.user_not_found);
      return toPublicProfile(account);
    },
  };
}

export type UserService = ReturnType<typeof createUserService>;
