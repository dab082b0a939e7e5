import { UserPlus } from "lucide-react";
import { useState } from "react";
import { mayInServer } from "../../state/permissions.js";
import { useAppState } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { Button } from "../../ui/button.js";
import { InviteDialog } from "./invite-dialog.js";

/** Invites people to a server; shown only to users who may. */
export function InviteButton({ serverId }: { serverId: string }) {
  const server = useAppState((state) => state.servers.find(({ id }) => id === serverId));
  const mayInvite = useAppState((state) => mayInServer(state, serverId, "CREATE_INVITES"));
  const [isInviting, setInviting] = useState(false);
  if (server === undefined || !mayInvite) return null;
  return (
    <>
      <Button kind="quiet" onClick={() => setInviting(true)}>
        <UserPlus size={16} aria-hidden />
        {texts.shell.invitePeople}
      </Button>
      <InviteDialog server={server} open={isInviting} onOpenChange={setInviting} />
    </>
  );
}
