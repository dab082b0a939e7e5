import { UserPlus } from "lucide-react";
import { mayInServer } from "../../state/access/permissions.js";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { Button } from "../../ui/look/button.js";
import { useOpenDialog } from "../actions/open-dialog.js";

/** Invites people to a server; shown only to users with the right. */
export function InviteButton({ serverId }: { serverId: string }) {
  const mayInvite = useAppState((state) => mayInServer(state, serverId, "CREATE_INVITES"));
  const open = useOpenDialog((dialogs) => dialogs.open);
  if (!mayInvite) return null;
  return (
    <Button kind="quiet" onClick={() => open({ kind: "invite", serverId })}>
      <UserPlus size={16} aria-hidden />
      {texts.shell.invitePeople}
    </Button>
  );
}
