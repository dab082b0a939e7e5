import type { Message } from "@parley/client";
import { Copy, Link2, MessagesSquare, Pencil, Pin, PinOff, Reply, SmilePlus, Trash2 } from "lucide-react";
import { errorText } from "../../session/error-text.js";
import { mayInChannel } from "../../state/permissions.js";
import { usePage, usePageState } from "../../state/use-page.js";
import { texts } from "../../texts/texts.js";
import type { MenuItem } from "../../ui/menu.js";
import { useNotice } from "../../ui/notice.js";
import { useOpenDialog } from "../actions/open-dialog.js";
import { useConversation } from "./context.js";

/** Something that can be done with a message. */
export interface MessageAction extends MenuItem {
  /** `react` and `button` stand in the bar above the message, `menu` in its menu only. */
  place: "react" | "button" | "menu";
}

/** What the user may do with a message, for its bar, its menu and its sheet. */
export function useMessageActions(message: Message): MessageAction[] {
  const names = texts.conversation;
  const { client } = usePage();
  const { place, serverId, edit, remove, reply, openThread } = useConversation();
  const { id, channel_id: channelId } = message;
  const isMine = usePageState((state) => state.me?.id === message.author_id);
  const mayManage = usePageState((state) => mayInChannel(state, channelId, "MANAGE_MESSAGES"));
  const mayReact = usePageState((state) => mayInChannel(state, channelId, "ADD_REACTIONS"));
  const maySend = usePageState((state) => mayInChannel(state, channelId, "SEND_MESSAGES"));
  const open = useOpenDialog((dialogs) => dialogs.open);
  const say = useNotice((notice) => notice.show);
  const isInChannel = place.kind === "channel";
  const isReply = message.thread_id !== null;
  const copy = (text: string) => void navigator.clipboard.writeText(text);
  const pin = () => {
    const sent = message.pinned ? client.pins.remove(channelId, id) : client.pins.add(channelId, id);
    sent.catch((error) => say(errorText(error)));
  };
  const when = (isShown: boolean, action: MessageAction) => (isShown ? [action] : []);
  const mayAnswer = isInChannel && maySend && !isReply && openThread !== null;
  return [
    ...when(isInChannel && mayReact, {
      place: "react",
      label: names.addReaction,
      icon: <SmilePlus size={18} aria-hidden />,
      onSelect: () => open({ kind: "react", channelId, messageId: id, serverId }),
    }),
    ...when(mayAnswer, {
      place: "button",
      label: names.reply,
      icon: <Reply size={18} aria-hidden />,
      onSelect: () => reply(id),
    }),
    ...when(mayAnswer, {
      place: "button",
      label: names.thread,
      icon: <MessagesSquare size={18} aria-hidden />,
      onSelect: () => openThread?.(id),
    }),
    ...when(isInChannel && isMine && message.poll === null && message.event === null, {
      place: "button",
      label: names.edit,
      icon: <Pencil size={17} aria-hidden />,
      onSelect: () => edit(id),
    }),
    ...when(isInChannel && !isReply, {
      place: "menu",
      label: names.copyLink,
      icon: <Link2 size={16} aria-hidden />,
      onSelect: () => copy(`${location.origin}/app/servers/${serverId}/channels/${channelId}/${id}`),
    }),
    ...when(message.content !== "", {
      place: "menu",
      label: names.copyText,
      icon: <Copy size={16} aria-hidden />,
      onSelect: () => copy(message.content),
    }),
    ...when(isInChannel && mayManage && !isReply, {
      place: "menu",
      label: message.pinned ? names.unpin : names.pin,
      icon: message.pinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />,
      onSelect: pin,
    }),
    ...when(isInChannel && (isMine || mayManage), {
      place: "menu",
      label: names.remove,
      icon: <Trash2 size={16} aria-hidden />,
      danger: true,
      onSelect: () => remove(message),
    }),
  ];
}
