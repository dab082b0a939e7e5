import { useEffect, useMemo, useState } from "react";
import { holdsRight } from "../../../state/access/permissions.js";
import { useApp, useAppState } from "../../../state/app/use-app.js";
import { isBotName } from "../../../state/people/bot-name.js";
import { accountName } from "../../../state/people/names.js";
import { texts } from "../../../texts/texts.js";
import { useConversation } from "../context.js";
import { type CompletionQuery, completionAt, type Suggestion } from "./completion.js";
import { useCommandSuggestions } from "./use-command-suggestions.js";
import { useEmojiSuggestions } from "./use-emoji-suggestions.js";

const shownMax = 8;
const restMs = 150;

/** Suggestions for the word at the caret. */
export function useCompletion(text: string, caret: number): { query: CompletionQuery | null; found: Suggestion[] } {
  const { serverId } = useConversation();
  const { members: reader, store } = useApp();
  const query = useMemo(() => completionAt(text, caret), [text, caret]);
  const members = useAppState((state) => (serverId === null ? undefined : state.members[serverId]));
  const channelIds = useAppState((state) => (serverId === null ? undefined : state.channelIds[serverId]));
  const channels = useAppState((state) => state.channels);
  const roles = useAppState((state) => (serverId === null ? undefined : state.roles[serverId]));
  const mayMentionAll = useAppState((state) => serverId !== null && holdsRight(state, serverId, "mention_everyone"));
  const emojis = useEmojiSuggestions(query?.kind === "emoji" ? query.letters : null);
  const commands = useCommandSuggestions(query?.kind === "command" ? query.letters : null);
  const userLetters = query?.kind === "user" ? query.letters : null;
  const [readLetters, setReadLetters] = useState<string | null>(null);
  useEffect(() => {
    if (userLetters === null || serverId === null || userLetters === readLetters) return;
    const timer = setTimeout(() => {
      setReadLetters(userLetters);
      // Members that are already stored are suggested without this request.
      const query = userLetters === "" ? { limit: shownMax } : { limit: shownMax, q: userLetters };
      reader.list(serverId, query).catch(() => undefined);
    }, restMs);
    return () => clearTimeout(timer);
  }, [reader, serverId, userLetters, readLetters]);

  const found = useMemo((): Suggestion[] => {
    if (query === null) return [];
    const letters = query.letters.toLowerCase();
    if (query.kind === "emoji") return emojis;
    if (query.kind === "command") return commands;
    if (query.kind === "channel") {
      return (channelIds ?? [])
        .flatMap((id) => channels[id] ?? [])
        .filter(({ name }) => name.toLowerCase().includes(letters))
        .slice(0, shownMax)
        .map(({ id, name, category, server_id }) => ({
          key: id,
          // A channel name of several words is not recognised in texts, so a link is inserted.
          inserted: /^[^\s#.,;:!?)]+$/u.test(name)
            ? `#${name}`
            : `[#${name}](/app/servers/${server_id}/channels/${id})`,
          label: `#${name}`,
          ...(category === null ? {} : { note: category }),
        }));
    }
    const known = Object.values(members ?? {});
    // A name that is the username of another account stays that account's.
    const taken = new Set([...known.map(({ username }) => username), "everyone", "here"]);
    const people = known
      .map((member) => ({
        ...member,
        name: member.nickname ?? accountName(store.getState(), { id: member.user_id, username: member.username }),
      }))
      .filter(({ username, name }) => [username, name].some((each) => each.toLowerCase().startsWith(letters)))
      .toSorted((a, b) => a.username.localeCompare(b.username))
      .map(({ user_id, username, avatar_url, name }) => ({
        key: user_id,
        inserted: `@${username}`,
        ...(taken.has(name) ? {} : { mention: { name, username } }),
        label: name,
        avatar: { name: username, url: avatar_url },
        ...noteOf(name, username),
      }));
    const groups = (["everyone", "here"] as const)
      .filter((name) => mayMentionAll && name.startsWith(letters))
      .map((name) => ({ key: name, inserted: `@${name}`, label: `@${name}`, note: texts.conversation[name] }));
    // A name that a member has is a mention of that member.
    const mentionable = (roles ?? [])
      .filter((role) => (role.mentionable || mayMentionAll) && !taken.has(role.name))
      .filter(({ name }) => name.toLowerCase().startsWith(letters))
      .map(({ id, name }) => ({ key: id, inserted: `@${name}`, label: `@${name}`, note: texts.conversation.role }));
    const others = [...mentionable.slice(0, shownMax / 2), ...groups];
    return [...people.slice(0, shownMax - others.length), ...others];
  }, [query, members, channelIds, channels, roles, emojis, commands, mayMentionAll, store]);
  return { query, found };
}

/** The note behind a name: that it is a bot's, or the username if it is another one. */
function noteOf(name: string, username: string): { note?: string } {
  if (isBotName(username)) return { note: texts.shell.bot };
  return name === username ? {} : { note: username };
}
