import { createClient, type ParleyClient, type User, type UsersUpdateMeBody } from "@parley/client";

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
