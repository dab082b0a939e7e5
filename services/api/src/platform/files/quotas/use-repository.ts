import { quotaDefaults } from "@parley/contracts";

export type QuotaScope = keyof typeof quotaDefaults;

/** SQL for the accounts whose files count for the account `id`: its own, and those of its bots. */
const accountsOf = (id: string) =>
  `(SELECT ${id}::uuid UNION ALL SELECT b.user_id FROM bots b WHERE b.created_by = ${id}::uuid)`;

const ofChannels = "u.server_id IS NULL OR EXISTS (SELECT FROM channels c WHERE c.id = u.channel_id)";

/** SQL for a row with the bytes and files of the account `id`; those in deleted channels are gone. */
export const accountUse = (
  id: string,
) => `SELECT coalesce(sum(u.bytes), 0)::bigint AS used, coalesce(sum(u.files), 0)::bigint AS files
  FROM (
    SELECT channel_id, server_id, bytes, files FROM account_storage WHERE author_id IN ${accountsOf(id)}
    UNION ALL SELECT channel_id, server_id, bytes, files FROM storage_changes WHERE author_id IN ${accountsOf(id)}) u
  WHERE ${ofChannels}`;

/** SQL for the same of the server `id`: attachments, emoji and its pictures. */
export const serverUse = (
  id: string,
) => `SELECT coalesce(sum(u.bytes), 0)::bigint AS used, coalesce(sum(u.files), 0)::bigint AS files
  FROM (
    SELECT s.bytes, s.files FROM channels c JOIN channel_storage s ON s.channel_id = c.id WHERE c.server_id = ${id}::uuid
    UNION ALL SELECT u.bytes, u.files FROM storage_changes u WHERE u.server_id = ${id}::uuid AND (${ofChannels})
    UNION ALL SELECT e.file_size, 1 FROM custom_emojis e WHERE e.server_id = ${id}::uuid
    UNION ALL SELECT p.bytes_512 + p.bytes_128 + p.bytes_64, 1
      FROM servers s, unnest(ARRAY[s.icon_url, s.banner_url]) AS address JOIN pictures p ON p.hash = substr(address, 8)
      WHERE address LIKE '/media/%' AND s.id = ${id}::uuid) u`;

/** SQL for the quota that the settings have for a scope. */
const quotaSetting = (scope: QuotaScope) => `(SELECT CASE
    WHEN jsonb_exists(chosen -> 'quota', '${scope}') THEN (chosen -> 'quota' ->> '${scope}')::bigint
    ELSE ${quotaDefaults[scope] ?? "NULL"}::bigint END FROM instance_settings WHERE id = 1)`;

/** SQL for the quota of the account `id`, as the next of a server and of the installation; null without one. */
export const accountQuota = (id: string) =>
  `coalesce((SELECT quota FROM account_quotas WHERE user_id = ${id}::uuid), ${quotaSetting("account")})`;
export const serverQuota = (id: string) =>
  `coalesce((SELECT quota FROM server_quotas WHERE server_id = ${id}::uuid), ${quotaSetting("server")})`;
export const installationQuota = quotaSetting("installation");

/** SQL for rows `(id, bytes)` of all accounts with files: their own and those of their bots. */
export const usesOfAccounts = `SELECT o.id, sum(u.bytes)::bigint AS bytes FROM (
    SELECT author_id, channel_id, server_id, bytes FROM account_storage
    UNION ALL SELECT author_id, channel_id, server_id, bytes FROM storage_changes WHERE author_id IS NOT NULL) u
  CROSS JOIN LATERAL (
    SELECT u.author_id AS id UNION ALL
    SELECT b.created_by FROM bots b WHERE b.user_id = u.author_id AND b.created_by IS NOT NULL) o
  WHERE ${ofChannels} GROUP BY o.id`;
