import { allPermissionBits, permissionBits } from "@parley/contracts";
import { useCallback } from "react";
import { useLocation } from "wouter";
import { serverPermissions } from "../../state/access/permissions.js";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { ErrorNote } from "../../ui/data/async-content.js";
import { onForm, textOf } from "../../ui/data/form.js";
import { useAction } from "../../ui/data/use-action.js";
import { Checkbox, Choice, TextField } from "../../ui/forms/field.js";
import { Button } from "../../ui/look/button.js";
import { Actions, Dialog } from "../../ui/overlays/dialog.js";
import { useNotice } from "../../ui/page/notice.js";

/** Creates a channel and opens it. */
export function CreateChannelDialog({
  serverId,
  category = null,
  open,
  onOpenChange,
}: {
  serverId: string;
  /** The category that is proposed. */
  category?: string | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const labels = texts.shell.channel;
  const { servers } = useApp();
  const hide = useHide(serverId);
  const channels = useAppState((state) => state.channels);
  const [, navigate] = useLocation();
  const create = useAction(
    useCallback(
      async (form: FormData) => {
        const channel = await servers.createChannel(serverId, {
          name: textOf(form, "name"),
          type: textOf(form, "type") === "voice" ? "voice" : "text",
          category: textOf(form, "category"),
          topic: textOf(form, "topic"),
        });
        onOpenChange(false);
        if (form.has("private")) await hide(channel.id);
        navigate(`/servers/${serverId}/channels/${channel.id}`);
      },
      [servers, serverId, hide, onOpenChange, navigate],
    ),
  );
  const categories = new Set(
    Object.values(channels).flatMap(({ server_id, category }) =>
      server_id === serverId && category !== null ? [category] : [],
    ),
  );
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={texts.shell.createChannel}>
      <form onSubmit={onForm(create.run)}>
        <TextField label={labels.name} name="name" required maxLength={100} autoFocus />
        <Choice label={labels.type} name="type" defaultValue="text">
          <option value="text">{labels.text}</option>
          <option value="voice">{labels.voice}</option>
        </Choice>
        <TextField
          label={labels.category}
          name="category"
          maxLength={100}
          list="channel-categories"
          defaultValue={category ?? ""}
        />
        <datalist id="channel-categories">
          {[...categories].map((category) => (
            <option key={category} value={category} />
          ))}
        </datalist>
        <TextField label={labels.topic} name="topic" maxLength={1024} />
        <Checkbox label={labels.private} hint={labels.privateHint} name="private" />
        <ErrorNote error={create.error} />
        <Actions>
          <Button type="submit" disabled={create.isBusy}>
            {labels.submit}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

/** Returns a function that hides a channel from everybody who does not see all of them, but for the user. */
function useHide(serverId: string): (channelId: string) => Promise<void> {
  const { client } = useApp();
  const me = useAppState((state) => state.me?.id);
  const seesAll = useAppState((state) => serverPermissions(state, serverId) === allPermissionBits);
  const show = useNotice((notice) => notice.show);
  return useCallback(
    async (channelId) => {
      const { VIEW_CHANNEL } = permissionBits;
      try {
        if (me !== undefined && !seesAll)
          await client.overrides.put(channelId, { user_id: me, allow: VIEW_CHANNEL, deny: 0 });
        await client.overrides.put(channelId, { role_id: serverId, allow: 0, deny: VIEW_CHANNEL });
      } catch (error) {
        // The channel is there; it opens, and its settings have the same box.
        show(errorText(error));
      }
    },
    [client, serverId, me, seesAll, show],
  );
}
