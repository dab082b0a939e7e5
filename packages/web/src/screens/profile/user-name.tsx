import { useEffect, useState } from "react";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AccountName } from "./account-name.js";

/** The name of an account by its id; requests the profile unless the page has it. */
export function UserName({ userId }: { userId: string | null }) {
  const { details } = useApp();
  const profile = useAppState((state) => (userId === null ? null : state.profiles[userId]));
  const [isUnreadable, setUnreadable] = useState(false);
  const isUnknown = profile === undefined;
  useEffect(() => {
    if (userId === null || !isUnknown) return;
    let isCurrent = true;
    setUnreadable(false);
    details.readUser(userId, null).catch(() => isCurrent && setUnreadable(true));
    return () => {
      isCurrent = false;
    };
  }, [details, userId, isUnknown]);
  if (profile !== undefined && profile !== null) {
    return <AccountName userId={profile.id} username={profile.username} />;
  }
  return (
    <bdi title={userId ?? undefined}>
      {profile === null ? texts.shell.goneAccount : isUnreadable ? shortId(userId) : "…"}
    </bdi>
  );
}

/** The end of an id, which is enough to distinguish ids. */
const shortId = (id: string | null): string => (id ?? "").slice(-8);
