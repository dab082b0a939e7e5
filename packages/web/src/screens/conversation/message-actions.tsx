import type { Message } from "@parley/client";
import { Copy, Ellipsis, Link2, MessagesSquare, Pencil, Pin, PinOff, Reply, Trash2 } from "lucide-react";
import { useCallback } from "react";
import { mayInChannel } from "../../state/permissions.js";
import { usePage, usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import { IconButton } from "../../ui/button.js";
import { Menu } from "../../ui/menu.js";
import { useAction } from "../../ui/use-action.js";
import { useConversation } from "./context.js";
import { EmojiButton } from "./emoji-button.js";
import styles from "./message-actions.module.css";

/** The actions on a message. */
export function MessageActions({ message }: { message: Message }) {
  const names = texts.conversation;
  const { client, details } = usePage();
  const { serverId, edit, remove, reply, openThread } = useConversation();
  const { id, channel_id: channelId } = message;
  const isMine = usePageState((state) => state.me?.id === message.author_id);
  const mayManage = usePageState((state) => mayInChannel(state, channelId, "MANAGE_MESSAGES"));
  const mayReact = usePageState((state) => mayInChannel(state, channelId, "ADD_REACTIONS"));
  const maySend = usePageState((state) => mayInChannel(state, channelId, "SEND_MESSAGES"));
  const pin = useAction(
    useCallback(
      (isOn: boolean) => (isOn ? client.pins.add(channelId, id) : client.pins.remove(channelId, id)),
      [client, channelId, id],
    ),
  );
  const isReply = message.thread_id !== null;
  const copy = (text: string) => void navigator.clipboard.writeText(text);
  return (
    <div className={styles.bar} role="toolbar" aria-label={names.actions}>
      {mayReact ? (
        <EmojiButton
          label={names.addReaction}
          onPick={(emoji) => void details.react(channelId, id, emoji.reaction, true).catch(() => undefined)}
        />
      ) : null}
      {maySend && !isReply && openThread !== null ? (
        <>
          <IconButton label={names.reply} onClick={() => reply(id)}>
            <Reply size={18} aria-hidden />
          </IconButton>
          <IconButton label={names.thread} onClick={() => openThread(id)}>
            <MessagesSquare size={18} aria-hidden />
          </IconButton>
        </>
      ) : null}
      {isMine && message.poll === null && message.event === null ? (
        <IconButton label={names.edit} onClick={() => edit(id)}>
          <Pencil size={17} aria-hidden />
        </IconButton>
      ) : null}
      <Menu
        trigger={
          <IconButton label={names.more}>
            <Ellipsis size={18} aria-hidden />
          </IconButton>
        }
        items={[
          isReply
            ? null
            : {
                label: names.copyLink,
                icon: <Link2 size={16} aria-hidden />,
                onSelect: () => copy(`${location.origin}/app/servers/${serverId}/channels/${channelId}/${id}`),
              },
          { label: names.copyText, icon: <Copy size={16} aria-hidden />, onSelect: () => copy(message.content) },
          mayManage && !isReply
            ? {
                label: message.pinned ? names.unpin : names.pin,
                icon: message.pinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />,
                onSelect: () => void pin.run(!message.pinned),
              }
            : null,
          isMine || mayManage
            ? {
                label: names.remove,
                icon: <Trash2 size={16} aria-hidden />,
                danger: true,
                onSelect: () => remove(message),
              }
            : null,
        ]}
      />
    </div>
  );
}
