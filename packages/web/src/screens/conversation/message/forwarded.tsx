import type { Message } from "@parley/client";
import { Forward } from "lucide-react";
import { Link } from "wouter";
import { useAppState } from "../../../state/app/use-app.js";
import { personName } from "../../../state/people/bot-name.js";
import { texts } from "../../../texts/texts.js";
import { AttachmentList } from "./attachments.js";
import styles from "./forwarded.module.css";
import { LongText } from "./long-text.js";

/** The copy of a message in the one that forwards it, with a link to the original for those who can open it. */
export function Forwarded({ of }: { of: NonNullable<Message["forwarded"]> }) {
  const labels = texts.conversation.forward;
  const { author, channel_id, content, message_id, server_id } = of;
  const isKnown = useAppState(
    ({ channels, dmChannels }) =>
      channels[channel_id] !== undefined || dmChannels.some((channel) => channel.id === channel_id),
  );
  const name = author === null ? texts.conversation.deletedAccount : personName(author);
  const head = labels.of(author?.nickname ?? name);
  const place = server_id === null ? `/dm/${channel_id}` : `/servers/${server_id}/channels/${channel_id}`;
  return (
    <blockquote className={styles.copy}>
      <p className={styles.head}>
        <Forward size={14} aria-hidden />
        {isKnown ? <Link href={`${place}/${message_id}`}>{head}</Link> : head}
      </p>
      {content === "" ? null : <LongText text={content} />}
      <AttachmentList files={of.attachments} />
    </blockquote>
  );
}
