import type { Bot } from "@parley/client";
import { useCallback, useState } from "react";
import { useApp } from "../../state/app/use-app.js";
import { texts } from "../../texts/texts.js";
import { AsyncContent } from "../../ui/data/async-content.js";
import { useData } from "../../ui/data/use-data.js";
import { PictureField } from "../../ui/forms/picture-field.js";
import { Button } from "../../ui/look/button.js";
import { Dialog } from "../../ui/overlays/dialog.js";

/** A button that opens the picture of a bot's account. */
export function BotPicture({ bot }: { bot: Bot }) {
  const labels = texts.account.bots;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {labels.picture}
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title={labels.pictureOf(bot.name)}>
        <Picture bot={bot} />
      </Dialog>
    </>
  );
}

function Picture({ bot: { id, user_id } }: { bot: Bot }) {
  const { client } = useApp();
  const profile = useData(
    useCallback((signal: AbortSignal) => client.users.get(user_id, { signal }), [client, user_id]),
  );
  const after = (change: Promise<unknown>) => change.then(profile.reload);
  return (
    <AsyncContent data={profile}>
      {({ username, avatar_url }) => (
        <PictureField
          name={username}
          url={avatar_url}
          onUse={(form) => after(client.bots.setAvatar(id, form))}
          onRemove={() => after(client.bots.removeAvatar(id))}
        />
      )}
    </AsyncContent>
  );
}
