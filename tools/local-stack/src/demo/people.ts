import { readFile } from "node:fs/promises";
import {
  type Channel,
  createClient,
  type Message,
  type ParleyClient,
  type User,
  type UsersUpdateMeBody,
} from "@parley/client";

/** Users of the demo; a visitor logs in as `ann`. */
export const demoUsernames = ["ann", "ben", "carla", "dmitri", "elif", "farah"] as const;
export type DemoUsername = (typeof demoUsernames)[number];

/** A logged-in user of the demo. */
export interface DemoPerson {
  readonly user: User;
  readonly client: ParleyClient;
}
export type DemoPeople = Readonly<Record<DemoUsername, DemoPerson>>;

const profiles: Record<DemoUsername, UsersUpdateMeBody> = {
  ann: { bio: "Runs the chess club at the harbour. Plays 1.e4 and regrets it.", pronouns: "she/her" },
  ben: { bio: "Endgames, mostly lost ones.", custom_status: "Looking for a game at 19:00", pronouns: "he/him" },
  carla: { bio: "Letterpress printer. Ink under every nail.", custom_status: "At the press", pronouns: "she/her" },
  dmitri: { bio: "Arbiter. The clock is running.", pronouns: "he/him" },
  elif: { bio: "Takes the pictures.", custom_status: "Out with the camera", pronouns: "they/them" },
  farah: { bio: "New here.", pronouns: "she/her" },
};

/** Registers the users of the demo, all with the same password. */
export async function registerPeople(baseUrl: string, password: string): Promise<DemoPeople> {
  const register = async (username: DemoUsername): Promise<DemoPerson> => {
    const client = createClient({ baseUrl });
    await client.register({ username, password });
    return { client, user: await client.users.updateMe(profiles[username]) };
  };
  return {
    ann: await register("ann"),
    ben: await register("ben"),
    carla: await register("carla"),
    dmitri: await register("dmitri"),
    elif: await register("elif"),
    farah: await register("farah"),
  };
}

/** Sends messages one after another, so that they stand in this order. */
export async function converse(
  people: DemoPeople,
  channel: Channel,
  lines: readonly (readonly [DemoUsername, string])[],
): Promise<Message[]> {
  const sent: Message[] = [];
  for (const [author, content] of lines) sent.push(await people[author].client.messages.send(channel.id, { content }));
  return sent;
}

/** A picture of the folder `demo-pictures`. */
export async function readPicture(name: string): Promise<Blob> {
  return new Blob([await readFile(new URL(`../../demo-pictures/${name}`, import.meta.url))], { type: "image/png" });
}

/** Sends a message with a picture. */
export async function showPicture(
  people: DemoPeople,
  channel: Channel,
  shown: { by: DemoUsername; content: string; picture: string },
): Promise<Message> {
  const { client } = people[shown.by];
  const message = await client.messages.send(channel.id, { content: shown.content });
  const form = new FormData();
  form.append("files", await readPicture(shown.picture), shown.picture);
  await client.attachments.upload(message.id, form);
  return message;
}

/** Lets each of them react in the same way. */
export async function reactTo(
  people: DemoPeople,
  message: Message,
  emoji: string,
  by: readonly DemoUsername[],
): Promise<void> {
  for (const name of by) await people[name].client.reactions.add(message.channel_id, message.id, emoji);
}
