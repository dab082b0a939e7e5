import type { Message } from "@parley/client";
import { excerpt } from "@parley/message-text";
import { AlarmClock, Bookmark, BookmarkMinus, MailOpen } from "lucide-react";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { inMinutes, morningIn } from "../../../state/kept/times.js";
import { errorText } from "../../../texts/error-text.js";
import { texts } from "../../../texts/texts.js";
import { showDuration, showTime } from "../../../ui/look/show.js";
import { useNotice } from "../../../ui/page/notice.js";
import { useOpenDialog } from "../../actions/open-dialog.js";
import { useConversation } from "../context.js";
import { showClock } from "../times.js";
import type { MessageAction } from "./message-action.js";

/** The beginning of a message that stands in a reminder of it. */
const aboutMax = 200;
const minutes = [20, 60];

/** Keeps a message for later, marks it as unread, and reminds the user of it. */
export function useKeptActions({ id, content, thread_id }: Message): MessageAction[] {
  const labels = texts.inbox;
  const { client, saved, readState } = useApp();
  const { place } = useConversation();
  const isSaved = useAppState((state) => state.saved[id] !== undefined);
  const open = useOpenDialog((dialogs) => dialogs.open);
  const say = useNotice((notice) => notice.show);
  const tell = (request: Promise<unknown>, done: string) =>
    void request.then(
      () => say(done),
      (error: unknown) => say(errorText(error)),
    );
  const text = excerpt(content, aboutMax) || null;
  const remind = (moment: Date) => {
    const at = moment.toISOString();
    tell(client.reminders.add({ message_id: id, text, at }), labels.remind.set(showTime(at)));
  };
  const tomorrow = morningIn(1);
  const unread: MessageAction = {
    shownIn: "menu",
    label: labels.markUnread,
    icon: <MailOpen size={16} aria-hidden />,
    onSelect: () => void readState.markUnread(place, id).catch((error: unknown) => say(errorText(error))),
  };
  return [
    // Threads have no mark that goes back.
    ...(thread_id === null ? [unread] : []),
    {
      shownIn: "menu",
      label: isSaved ? labels.saved.drop : labels.saved.keep,
      icon: isSaved ? <BookmarkMinus size={16} aria-hidden /> : <Bookmark size={16} aria-hidden />,
      onSelect: () => tell(saved.keep(id, !isSaved), isSaved ? labels.saved.dropped : labels.saved.kept),
    },
    {
      shownIn: "menu",
      label: labels.remind.title,
      icon: <AlarmClock size={16} aria-hidden />,
      items: [
        ...minutes.map((count) => ({
          label: labels.remind.inMinutes(showDuration(count * 60)),
          onSelect: () => remind(inMinutes(count)),
        })),
        {
          label: labels.remind.tomorrow(showClock(tomorrow.toISOString())),
          onSelect: () => remind(tomorrow),
        },
        { label: labels.remind.choose, onSelect: () => open({ kind: "remind", messageId: id, text }) },
      ],
    },
  ];
}
