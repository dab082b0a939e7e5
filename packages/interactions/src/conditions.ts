import { announceAfterSeconds } from "./limits.js";

/** SQL for when another process announces a state. */
export const nextAnnouncement = `now() + make_interval(secs => ${announceAfterSeconds})`;
/** SQL of the columns that a new state sets to be announced. */
export const toBeAnnounced = `announce_at = ${nextAnnouncement}`;

/** SQL for whether an interaction `i` that waits for an answer may still get it. */
const isInTime = "(i.due_at IS NULL OR i.due_at > now()) AND i.expires_at > now()";
/** SQL for whether the invoker of an interaction `i` is still where it began, and has not left in between. */
export const invokerStays = `EXISTS (SELECT FROM channels c JOIN servers s ON s.id = c.server_id
      JOIN members m ON m.server_id = s.id AND m.user_id = i.user_id
      WHERE c.id = i.channel_id AND m.joined_at <= i.created_at)`;
/** SQL for whether the bot of an interaction `i` is still there, with the token that it had. */
export const botStays = `EXISTS (SELECT FROM bots b JOIN users u ON u.id = b.user_id
      JOIN members m ON m.server_id = i.server_id AND m.user_id = b.user_id
      WHERE b.user_id = i.bot_user_id AND b.revoked_at IS NULL AND m.joined_at <= i.created_at
        AND coalesce(i.bot_session_version = u.session_version, true))`;
/** SQL for whether an interaction `i` takes answers: for everything that stores one, beside how it stands. */
export const isAnswerable = `${isInTime} AND ${invokerStays} AND ${botStays}`;
