import { useAppState } from "../../state/app/use-app.js";
import { isBotName } from "../../state/people/bot-name.js";
import { accountName } from "../../state/people/names.js";
import { BotTag } from "./bot-tag.js";

/** The name of an account, with the mark of a bot: the same wherever accounts are listed. */
export function AccountName({ userId, username }: { userId: string; username: string }) {
  const name = useAppState((state) => accountName(state, { id: userId, username }));
  return (
    <>
      <bdi>{name}</bdi>
      {isBotName(username) ? " " : null}
      <BotTag username={username} />
    </>
  );
}
