import { useCallback, useEffect } from "react";
import { useLocation } from "wouter";
import { entrance } from "../../session/destination.js";
import { useInstallationName } from "../../session/installation.js";
import { useSession } from "../../session/session.js";
import { texts } from "../../texts/start-texts.js";
import { useData } from "../../ui/data/use-data.js";
import { Avatar } from "../../ui/look/avatar.js";
import { Button } from "../../ui/look/button.js";
import styles from "./invite.module.css";
import { InviteCard } from "./invite-card.js";

/** The server of an invite before the login, with the ways in. */
export function InviteForStrangers({ code }: { code: string }) {
  const installation = useInstallationName(useSession().client);
  useEffect(() => {
    document.title = texts.titles.page(texts.titles.invite, installation);
  }, [installation]);
  return (
    <InviteCard code={code} gone={<Ways wanted={null} />}>
      {() => <Ways wanted={`/invite/${code}`} />}
    </InviteCard>
  );
}

function Ways({ wanted }: { wanted: string | null }) {
  const labels = texts.invite;
  const [, navigate] = useLocation();
  return (
    <>
      <Button className={styles.wide} onClick={() => navigate(entrance("/register", wanted))}>
        {wanted === null ? texts.login.register : labels.register}
      </Button>
      <Button kind="quiet" className={styles.wide} onClick={() => navigate(entrance("/login", wanted))}>
        {wanted === null ? texts.login.submit : labels.logIn}
      </Button>
    </>
  );
}

/** The line above a form that leads on to an invite; nothing while its server is not known. */
export function InvitedLine({ code }: { code: string }) {
  const { client } = useSession();
  const { value } = useData(useCallback((signal) => client.invites.publicPreview(code, { signal }), [client, code]));
  if (value === null) return null;
  return (
    <p className={styles.line}>
      <Avatar name={value.server_name} url={value.server_icon_url} size={32} />
      <span>{texts.invite.next(value.server_name)}</span>
    </p>
  );
}
