import type { InteractionMessage } from "@parley/client";
import type { ReactNode } from "react";
import { useApp } from "../../../../state/app/use-app.js";
import type { Interaction } from "../../../../state/store/app-state.js";
import { texts } from "../../../../texts/texts.js";
import { Tag } from "../../../../ui/lists/rows.js";
import { Button } from "../../../../ui/look/button.js";
import { composerElement } from "../../../actions/composer-element.js";
import { UserAvatar } from "../../../profile/user-avatar.js";
import { showMoment, showWhen } from "../../times.js";
import { MessageBody } from "../message-item.js";
import messageStyles from "../message-item.module.css";
import { useAuthor } from "../use-author.js";
import styles from "./app-rows.module.css";
import { InteractionLine } from "./interaction-line.js";

/** A bot's row: its picture and name with a remark beside them, and its content. */
function BotRow({ botUserId, beside, children }: { botUserId: string | null; beside: ReactNode; children: ReactNode }) {
  const { name, username, avatarUrl } = useAuthor(botUserId);
  return (
    <article className={messageStyles.message} data-head="true" data-row tabIndex={-1}>
      <span className={messageStyles.avatar}>
        <UserAvatar name={username ?? name} url={avatarUrl} size={40} />
      </span>
      <header className={messageStyles.head}>
        <bdi className={messageStyles.name}>{name}</bdi>
        {beside}
      </header>
      <div className={messageStyles.content}>{children}</div>
    </article>
  );
}

/** A request to a bot that has not answered yet, or failed to. */
function InteractionItem({ interaction }: { interaction: Interaction }) {
  return (
    <BotRow botUserId={interaction.botUserId} beside={<bdi className={messageStyles.time}>{interaction.name}</bdi>}>
      <InteractionLine interaction={interaction} />
    </BotRow>
  );
}

/** An answer for the user alone. */
function EphemeralItem({ message }: { message: InteractionMessage }) {
  const { interactions } = useApp();
  const { created_at } = message;
  return (
    <BotRow
      botUserId={message.author_id}
      beside={
        <>
          <time className={messageStyles.time} dateTime={created_at} title={showMoment(created_at)}>
            {showWhen(created_at)}
          </time>
          <Tag>{texts.apps.onlyYou}</Tag>
        </>
      }
    >
      <MessageBody message={message} />
      <Button
        kind="quiet"
        className={styles.dismiss}
        onClick={() => {
          interactions.dismissMessage(message);
          composerElement()?.focus();
        }}
      >
        {texts.apps.dismiss}
      </Button>
    </BotRow>
  );
}

/** A row of a conversation that only the user sees. */
export function AppRow({ row }: { row: { interaction: Interaction } | { ephemeral: InteractionMessage } }) {
  return "ephemeral" in row ? (
    <EphemeralItem message={row.ephemeral} />
  ) : (
    <InteractionItem interaction={row.interaction} />
  );
}
