import type { ReactionCount } from "@parley/client";
import { useCallback } from "react";
import { mayInChannel } from "../../../state/access/permissions.js";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { texts } from "../../../texts/texts.js";
import { ErrorNote } from "../../../ui/data/async-content.js";
import { useAction } from "../../../ui/data/use-action.js";
import { useConversation } from "../context.js";
import { EmojiButton } from "./emoji-button.js";
import styles from "./reactions.module.css";
import { useReactionEmoji } from "./use-reaction-emoji.js";
import { type ReactionOf, WhoReacted } from "./who-reacted.js";

/** The reactions to a message. */
export function Reactions({ channelId, messageId }: { channelId: string; messageId: string }) {
  const { details } = useApp();
  const list = useAppState((state) => state.reactions[messageId]);
  const { place } = useConversation();
  const mayAdd = useAppState((state) => place.kind === "direct" || mayInChannel(state, channelId, "ADD_REACTIONS"));
  const react = useAction(
    useCallback(
      (emoji: string, isOn: boolean) => details.react(channelId, messageId, emoji, isOn),
      [details, channelId, messageId],
    ),
  );
  if (list === undefined || list.length === 0) return null;
  return (
    <div className={styles.list}>
      {list.map((reaction) => (
        <ReactionButton
          key={reaction.emoji}
          message={{ channelId, messageId }}
          reaction={reaction}
          disabled={!mayAdd && !reaction.me}
          onPress={() => void react.run(reaction.emoji, !reaction.me)}
        />
      ))}
      {mayAdd ? (
        <EmojiButton
          label={texts.conversation.addReaction}
          className={styles.add}
          onPick={(emoji) => void react.run(emoji.reaction, true)}
        />
      ) : null}
      <ErrorNote error={react.error} />
    </div>
  );
}

function ReactionButton({
  message,
  reaction,
  disabled,
  onPress,
}: {
  message: Pick<ReactionOf, "channelId" | "messageId">;
  reaction: ReactionCount;
  disabled: boolean;
  onPress: () => void;
}) {
  const { serverId } = useConversation();
  const { emoji, count, me } = reaction;
  const { name, url } = useReactionEmoji(emoji, serverId);
  const button = (
    <button
      type="button"
      className={styles.reaction}
      aria-pressed={me}
      aria-label={texts.conversation.reaction(name, count, me)}
      // Not disabled, as it shows the users who reacted to readers who may not react.
      aria-disabled={disabled}
      onClick={disabled ? undefined : onPress}
    >
      {url === null ? <bdi className={styles.emoji}>{emoji}</bdi> : <img className={styles.image} src={url} alt="" />}
      <span>{count}</span>
    </button>
  );
  if (serverId === null) return button;
  return (
    <WhoReacted of={{ ...message, serverId, reaction }} name={name}>
      {button}
    </WhoReacted>
  );
}
