import { useCallback } from "react";
import { useApp } from "../../state/app/use-app.js";
import { personName } from "../../state/people/bot-name.js";
import { errorText } from "../../texts/error-text.js";
import { texts } from "../../texts/texts.js";
import { useNotice } from "../../ui/page/notice.js";
import { ComboField, type Offer } from "../apps/combo-field.js";
import { findStrangers } from "../groups/candidates.js";

const offeredMax = 8;

/** Asks somebody for friendship by their name. */
export function AddFriend() {
  const { client, store } = useApp();
  const labels = texts.people;
  const say = useNotice((notice) => notice.show);
  const find = useCallback(
    async (text: string): Promise<Offer[]> => {
      const found = await findStrangers(client, store.getState(), text.trim().replace(/^@/, ""));
      return found.slice(0, offeredMax).map((person) => ({
        value: person.id,
        label: personName(person),
        avatar: { name: person.username, url: person.avatar_url ?? null },
      }));
    },
    [client, store],
  );
  const ask = ({ value, label }: Offer) =>
    client.friends.add(value).then(
      () => say(labels.asked(label)),
      (error: unknown) => say(errorText(error)),
    );
  return (
    <ComboField
      label={labels.add}
      hint={labels.addHint}
      required={false}
      isFree={false}
      isEmptied
      find={find}
      onPick={(offer) => void ask(offer)}
    />
  );
}
