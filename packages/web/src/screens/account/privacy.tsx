import type { User } from "@parley/client";
import { useApp, useAppState } from "../../state/app/use-app.js";
import { userSince } from "../../state/community/user-events.js";
import { texts } from "../../texts/texts.js";
import { Skeleton } from "../../ui/data/skeleton.js";
import { useAction } from "../../ui/data/use-action.js";
import { Choice } from "../../ui/forms/field.js";

const choices = ["everyone", "servers", "friends"] as const;

/** The accounts that may send direct messages to this one. */
export function PrivacySection() {
  const me = useAppState((state) => state.me);
  return me === null ? <Skeleton shape="form" /> : <DmsFrom user={me} />;
}

function DmsFrom({ user }: { user: User }) {
  const { client, store } = useApp();
  const labels = texts.people.privacy;
  const save = useAction(async (value: string) => {
    const dms_from = choices.find((choice) => choice === value);
    if (dms_from === undefined) return;
    await store.change(() => client.users.updateMe({ dms_from }), userSince);
  });
  return (
    <Choice
      label={labels.dmsFrom}
      error={save.error}
      value={user.dms_from ?? "everyone"}
      onChange={(event) => save.run(event.currentTarget.value)}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {labels.from[choice]}
        </option>
      ))}
    </Choice>
  );
}
