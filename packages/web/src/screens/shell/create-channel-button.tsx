import { Plus } from "lucide-react";
import { mayInServer } from "../../state/access/permissions.js";
import { useAppState } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { Button } from "../../ui/look/button.js";
import { useOpenDialog } from "../actions/open-dialog.js";

/** Creates the first channel of a server; shown only to users who may create channels. */
export function CreateChannelButton({ serverId }: { serverId: string }) {
  const mayCreate = useAppState((state) => mayInServer(state, serverId, "MANAGE_CHANNELS"));
  const open = useOpenDialog((dialogs) => dialogs.open);
  if (!mayCreate) return null;
  return (
    <Button onClick={() => open({ kind: "create channel", serverId, category: null })}>
      <Plus size={16} aria-hidden />
      {texts.shell.createChannel}
    </Button>
  );
}
