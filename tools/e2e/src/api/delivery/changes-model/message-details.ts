import type { Attachment, ReactionCount } from "@parley/contracts";
import { byId, type Viewer } from "./lists.js";

/** The details of a message, of a channel or direct. */
interface Details {
  reactions?: ReactionCount[] | undefined;
  attachments?: Attachment[] | undefined;
}
type Reaction = { emoji: string; user_id: string };

/** After REACTION_ADD or DM_REACTION_ADD. */
export function withReaction({ reactions = [] }: Details, { emoji, user_id }: Reaction, { userId }: Viewer) {
  const before = reactions.find((one) => one.emoji === emoji) ?? { count: 0, me: false };
  const after = { emoji, count: before.count + 1, me: before.me || user_id === userId };
  return { reactions: [...reactions.filter((one) => one.emoji !== emoji), after] };
}

/** After REACTION_REMOVE or DM_REACTION_REMOVE. */
export function withoutReaction({ reactions = [] }: Details, { emoji, user_id }: Reaction, { userId }: Viewer) {
  return {
    reactions: reactions
      .map((one) => (one.emoji === emoji ? { emoji, count: one.count - 1, me: one.me && user_id !== userId } : one))
      .filter(({ count }) => count > 0),
  };
}

/** After ATTACHMENT_CREATE or DM_ATTACHMENT_CREATE. */
export function withAttachments({ attachments = [] }: Details, added: { attachments: Attachment[] }) {
  const known = byId(attachments, ({ id }) => id);
  return { attachments: [...attachments, ...added.attachments.filter(({ id }) => known[id] === undefined)] };
}
