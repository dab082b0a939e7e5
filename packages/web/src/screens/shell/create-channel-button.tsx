import { Plus } from "lucide-react";
import { useState } from "react";
import { mayInServer } from "../../state/permissions.js";
import { useAppState } from "../../state/use-app.js";
import { texts } from "../../texts/texts.js";
import { Button } from "../../ui/button.js";
import { CreateChannelDialog } from "./create-channel.js";

/** Creates the first channel of a server; shown only to users who may create channels. */
export function CreateChannelButton({ serverId }: { serverId: string }) {
  const mayCreate = useAppState((state) => mayInServer(state, serverId, "MANAGE_CHANNELS"));
  const [isCreating, setCreating] = useState(false);
  if (!mayCreate) return null;
  return (
    <>
      <Button onClick={() => setCreating(true)}>
        <Plus size={16} aria-hidden />
        {texts.shell.createChannel}
      </Button>
      <CreateChannelDialog serverId={serverId} open={isCreating} onOpenChange={setCreating} />
    </>
  );
}
