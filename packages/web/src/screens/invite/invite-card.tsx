import { type InvitePreview, ParleyError, type PublicInvitePreview } from "@parley/client";
import { type ReactNode, useCallback } from "react";
import { useSession } from "../../session/session.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/start-texts.js";
import { useData } from "../../ui/data/use-data.js";
import { Avatar } from "../../ui/look/avatar.js";
import { Button } from "../../ui/look/button.js";
import styles from "./invite.module.css";

/**
 * The server of an invite, for users with or without an account.
 *
 * @param children the actions on the invite
 * @param gone the actions when the invite cannot be used
 */
export function InviteCard({
  code,
  children,
  gone,
}: {
  code: string;
  children: (preview: InvitePreview) => ReactNode;
  gone: ReactNode;
}) {
  const { client, isOpen } = useSession();
  const { value, error, reload } = useData(
    useCallback(
      async (signal): Promise<InvitePreview | PublicInvitePreview> => {
        try {
          return await client.invites.publicPreview(code, { signal });
        } catch (failure) {
          // An invite that an account's registration has used up is shown to that account alone.
          if (isOpen && isGone(failure)) return await client.invites.preview(code, { signal });
          throw failure;
        }
      },
      [client, code, isOpen],
    ),
  );
  return (
    <main className={styles.page}>
      <section className={styles.card}>
        {value !== null ? (
          <>
            <Invited preview={value} />
            {children(value)}
          </>
        ) : error === null ? (
          <p role="status">{texts.common.loading}</p>
        ) : isGone(error) ? (
          <>
            <h1 className={styles.title}>{texts.invite.goneTitle}</h1>
            <p role="alert" className={styles.note}>
              {texts.invite.notUsable}
            </p>
            {gone}
          </>
        ) : (
          <>
            <p role="alert">{errorText(error)}</p>
            <Button onClick={reload}>{texts.common.retry}</Button>
          </>
        )}
      </section>
    </main>
  );
}

function Invited({ preview }: { preview: InvitePreview | PublicInvitePreview }) {
  const labels = texts.invite;
  return (
    <>
      <Avatar name={preview.server_name} url={preview.server_icon_url} size={80} />
      <p className={styles.lead}>{labels.invitedTo}</p>
      <h1 className={styles.title}>
        <bdi>{preview.server_name}</bdi>
      </h1>
      <p className={styles.counts}>
        <span>{labels.membersCount(preview.member_count)}</span>
        {"online_count" in preview ? (
          <span className={styles.online}>{labels.onlineCount(preview.online_count)}</span>
        ) : null}
      </p>
      <p className={styles.note}>{labels.about}</p>
    </>
  );
}

/** An invite is shown as not usable only if the server answers so, not after other errors. */
const isGone = (error: unknown): boolean => error instanceof ParleyError && error.status === 404;
